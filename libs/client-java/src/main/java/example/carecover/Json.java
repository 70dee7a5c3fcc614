package example.carecover;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import example.carecover.model.Event;
import example.carecover.model.EventData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The JSON of the API: unknown fields are ignored, and a value of another type is an error. */
final class Json {
  private static final JsonMapper PLAIN =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .serializationInclusion(JsonInclude.Include.NON_NULL)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          // An amount that must not be null would be 0.
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              config -> {
                config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                config.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                config.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
              })
          .build();

  private static final JsonMapper MAPPER =
      PLAIN.rebuild().addModule(new SimpleModule().addDeserializer(Event.class, new EventDeserializer())).build();

  private Json() {}

  /** Parses JSON. @throws IOException if it is no JSON, or of another type; its message can quote the JSON */
  static JsonNode parse(byte[] text) throws IOException {
    return MAPPER.readTree(text);
  }

  /** Parses JSON as a type. @throws IOException as parse */
  static <T> T read(byte[] text, Class<T> type) throws IOException {
    return MAPPER.readValue(text, type);
  }

  static <T> T read(JsonNode value, Class<T> type) throws JsonProcessingException {
    return MAPPER.treeToValue(value, type);
  }

  static <T> T convert(Object value, TypeReference<T> type) {
    return MAPPER.convertValue(value, type);
  }

  /** Writes the body of a request. @throws IllegalArgumentException if JSON does not have one of its values */
  static byte[] write(Object value) {
    JsonNode tree = MAPPER.valueToTree(value);
    Input.require("the body can't be sent as JSON", findProblem(tree));
    try {
      return MAPPER.writeValueAsBytes(tree);
    } catch (JsonProcessingException error) {
      throw new IllegalArgumentException("the body can't be sent as JSON", error);
    }
  }

  /** Returns what is wrong with a value that Jackson would write in another way; null if nothing is. */
  private static String findProblem(JsonNode value) {
    if (value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue()))
      return "it has a number that is not finite";
    if (value.isTextual() && !StandardCharsets.UTF_8.newEncoder().canEncode(value.textValue()))
      return "it has half of a surrogate pair";
    for (JsonNode each : value) {
      String problem = findProblem(each);
      if (problem != null) return problem;
    }
    return null;
  }

  /** Chooses the class of the data by the type of the event. */
  private static final class EventDeserializer extends StdDeserializer<Event> {
    private static final long serialVersionUID = 1L;

    EventDeserializer() {
      super(Event.class);
    }

    @Override
    public Event deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      if (!(context.readTree(parser) instanceof ObjectNode tree))
        throw context.instantiationException(Event.class, "an event must be an object");
      JsonNode data = tree.remove("data");
      Event event = PLAIN.treeToValue(tree, Event.class);
      String type = event.getType() == null ? "" : event.getType().value();
      return data == null ? event : event.data(PLAIN.treeToValue(data, EventData.classOf(type)));
    }
  }
}
