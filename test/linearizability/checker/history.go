package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/anishathalye/porcupine"
)

// open is the end of an operation without a known outcome: it may take effect at any time after its start, or never.
const open = math.MaxInt64

// Line is one line of a history: an HTTP request with its response, or a fault. Times are microseconds since the start of the recording.
type Line struct {
	Model    string `json:"model"`    // the model that checks the request: claim, reservation or key
	Resource string `json:"resource"` // the partition: a session ID of claims, a member's reference, or an idempotency key
	Client   int    `json:"client"`
	Op       string `json:"op"`
	ID       string `json:"id"`      // the ID of the resource in the path of the request
	Key      string `json:"key"`     // the idempotency key; empty if the model treats the request as a read
	Request  string `json:"request"` // a hash of the operation, the path parameters and the body
	Amount   int64  `json:"amount"`  // the amount of an adjudication or remittance, in minor units
	Billed   int64  `json:"billed"`  // the billed amount of the claim, in minor units
	Limit    int64  `json:"limit"`   // the number of sessions that the coverage provides
	Cutoff   string `json:"cutoff"`  // the cutoff of a valuation
	Call     int64  `json:"call"`
	Return   *int64 `json:"return"` // when the response arrived; null if the outcome is unknown
	Status   int    `json:"status"`
	Code     string `json:"code"` // the code of an API error; empty for a success
	Replayed bool   `json:"replayed"`
	Digest   string `json:"digest"` // a hash of the response's body
	Seen     Seen   `json:"seen"`
	Fault    string `json:"fault"` // the name of a fault; empty if the line is a request

	closed int64 // when a write without a known outcome can have no effect any more; 0 if never
}

// Seen has the fields of a response that a model checks. Amounts are null where the API answers null.
type Seen struct {
	ID        string `json:"id,omitempty"`
	Status    string `json:"status,omitempty"`
	Approved  *int64 `json:"approved,omitempty"`
	Remitted  *int64 `json:"remitted,omitempty"`
	Version   int    `json:"version,omitempty"` // the version of the adjudication; 0 if the claim has none
	Facts     int    `json:"facts,omitempty"`   // the number of facts in a valuation
	Remaining *int64 `json:"remaining,omitempty"`
}

func (l Line) unknown() bool   { return l.Return == nil }
func (l Line) succeeded() bool { return l.Status >= 200 && l.Status < 300 }
func (l Line) isRead() bool    { return l.Key == "" }
func (l Line) end() int64 {
	if l.unknown() {
		return open
	}
	return *l.Return
}

func readHistory(path string) (operations, faults []Line, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		var line Line
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if line.Fault != "" {
			faults = append(faults, line)
		} else {
			operations = append(operations, line)
		}
	}
	return operations, faults, lines.Err()
}

// A partition has the lines of a history that one model checks independently of all other lines.
type partition struct {
	model    string
	resource string
	lines    []Line
}

// partitions splits a history by model and resource. A change of a pre-authorization belongs to two resources, its coverage and itself,
// because the API does not promise that a reservation and the decision become visible at the same instant.
func partitions(lines []Line) ([]partition, error) {
	type name struct{ model, resource string }
	byName := map[name][]Line{}
	for _, line := range lines {
		switch {
		case line.Model == "claim" || line.Model == "key":
			byName[name{line.Model, line.Resource}] = append(byName[name{line.Model, line.Resource}], line)
		case line.Model == "reservation":
			if line.Op != "read" {
				byName[name{"coverage", line.Resource}] = append(byName[name{"coverage", line.Resource}], line)
			}
			if line.Op != "remaining" {
				byName[name{"preauthorization", line.ID}] = append(byName[name{"preauthorization", line.ID}], line)
			}
		default:
			return nil, fmt.Errorf("unknown model %q", line.Model)
		}
	}
	var all []partition
	for name, lines := range byName {
		all = append(all, partition{name.model, name.resource, withPayments(closeDecided(lines))})
	}
	slices.SortFunc(all, func(a, b partition) int {
		return slices.Compare([]string{a.model, a.resource}, []string{b.model, b.resource})
	})
	return all, nil
}

// withPayments adds a second operation for each write of a claim that the service payments decides before the service claims commits it. A
// rejected write has only one operation.
func withPayments(lines []Line) []Line {
	all := slices.Clone(lines)
	for _, line := range lines {
		isAccepted := line.unknown() || line.succeeded()
		if line.Model == "claim" && isAccepted && slices.Contains(decidedInPayments, line.Op) {
			line.Op += inPayments
			all = append(all, line)
		}
	}
	return all
}

// closeDecided drops requests without a known outcome, or sets their end, where this can't change the result, because each such request
// makes the check slower. It drops such reads. Of such writes with the same key and content, it keeps the first, because at most one of
// them has an effect. If a request with this key has succeeded, the kept write ends at that success: it can have no effect afterwards.
func closeDecided(lines []Line) []Line {
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b Line) int { return int(a.Call - b.Call) })
	decided := map[string]int64{}
	for _, line := range lines {
		if line.Key != "" && line.succeeded() && !line.unknown() {
			if at, ok := decided[line.Key]; !ok || *line.Return < at {
				decided[line.Key] = *line.Return
			}
		}
	}
	type attempt struct{ key, request string }
	attempted := map[attempt]bool{}
	var kept []Line
	for _, line := range lines {
		if line.unknown() {
			same := attempt{line.Key, line.Request}
			if line.isRead() || attempted[same] {
				continue
			}
			attempted[same] = true
			line.closed = 0
			if at, ok := decided[line.Key]; ok {
				line.closed = max(at, line.Call)
			}
		}
		kept = append(kept, line)
	}
	return kept
}

// before returns the history as it was known at an instant: requests sent until then, with the responses received until then.
func before(lines []Line, at int64) []Line {
	var known []Line
	for _, line := range lines {
		if line.Call > at {
			continue
		}
		if line.end() > at {
			if line.isRead() {
				continue
			}
			line.Return, line.Status = nil, 0
			line.Code, line.Replayed, line.Digest, line.Seen = "", false, "", Seen{}
		}
		known = append(known, line)
	}
	return closeDecided(known)
}

func operations(lines []Line) []porcupine.Operation {
	all := make([]porcupine.Operation, len(lines))
	for index, line := range lines {
		end := line.end()
		if line.unknown() && line.closed != 0 {
			end = line.closed
		}
		all[index] = porcupine.Operation{ClientId: line.Client, Input: line, Call: line.Call, Output: line, Return: end}
	}
	return all
}
