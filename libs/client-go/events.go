package carecover

import "encoding/json"

// UnknownEventData is the data of an event of a type that this release of the client does not know.
type UnknownEventData struct {
	// The data as JSON.
	JSON json.RawMessage
}

func (*UnknownEventData) isEventData() {}

// UnmarshalJSON keeps the JSON.
func (data *UnknownEventData) UnmarshalJSON(text []byte) error { return data.JSON.UnmarshalJSON(text) }

// MarshalJSON returns the JSON.
func (data *UnknownEventData) MarshalJSON() ([]byte, error) { return data.JSON.MarshalJSON() }

// UnmarshalJSON chooses the type of the data by the type of the event.
func (event *Event) UnmarshalJSON(text []byte) error {
	type fields Event
	var parsed struct {
		fields
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &parsed); err != nil {
		return err
	}
	*event = Event(parsed.fields)
	event.Data = newEventData(event.Type)
	if parsed.Data == nil {
		return nil
	}
	return json.Unmarshal(parsed.Data, event.Data)
}
