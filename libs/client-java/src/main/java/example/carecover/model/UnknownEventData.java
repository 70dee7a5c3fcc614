package example.carecover.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * The data of an event of a type that this release of the client does not know.
 *
 * @param json the data as JSON
 */
public record UnknownEventData(JsonNode json) implements EventData {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public UnknownEventData {}

  @Override
  @JsonValue
  public JsonNode json() {
    return json;
  }
}
