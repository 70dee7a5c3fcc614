package main

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// keys holds the used idempotency keys of a resource, each with its first request and response. Maps of this type are immutable.
type keys map[string]answer

type answer struct{ request, digest string }

// replay checks the response to a request whose idempotency key may have been used before. It returns whether the key was used before,
// whether the model allows the response, and the keys after the request.
func (k keys) replay(line Line) (used, allowed bool, next keys) {
	first, used := k[line.Key]
	switch {
	case line.isRead():
		return false, true, k
	case !used:
		// A first use of a key can also be marked as replayed, so the mark is not checked: if a replica ended before it responded, the gateway
		// has sent the request twice.
		return false, line.Code != "idempotency_conflict", k
	case line.unknown():
		return true, true, k
	case first.request != line.Request:
		return true, line.Code == "idempotency_conflict", k
	case !line.succeeded() || !line.Replayed:
		return true, false, k
	case first.digest == "":
		// The response to the first request with this key is unknown. This replayed response has the same body, so its digest is stored.
		return true, true, k.with(line)
	}
	return true, first.digest == line.Digest, k
}

func (k keys) with(line Line) keys {
	next := maps.Clone(k)
	if next == nil {
		next = keys{}
	}
	next[line.Key] = answer{line.Request, line.Digest}
	return next
}

func (k keys) String() string {
	var parts []string
	for key, answer := range k {
		parts = append(parts, key+answer.request+answer.digest)
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}

type state interface {
	// step returns whether the response in the line is allowed in this state, and the state after the request.
	step(line Line) (bool, state)
	// identity returns the text by which the checker compares states: two states with the same text count as equal.
	identity() string
	describe() string
}

var initialStates = map[string]state{
	"claim":            claimsState{},
	"coverage":         coverageState{limited: true},
	"preauthorization": coverageState{},
	"key":              keyState{},
}

// identified is a state with the text by which the checker compares states. The text is computed once, because the checker compares often.
type identified struct {
	state
	id string
}

func modelOf(name string) porcupine.Model {
	seed := maphash.MakeSeed()
	return porcupine.Model{
		Init: func() any { return identified{initialStates[name], initialStates[name].identity()} },
		Step: func(current, input, _ any) (bool, any) {
			allowed, next := current.(identified).step(input.(Line))
			if !allowed {
				return false, current
			}
			return true, identified{next, next.identity()}
		},
		Equal:             func(a, b any) bool { return a.(identified).id == b.(identified).id },
		Hash:              func(current any) uint64 { return maphash.String(seed, current.(identified).id) },
		DescribeOperation: func(input, _ any) string { return describe(input.(Line)) },
		DescribeState:     func(current any) string { return current.(identified).describe() },
	}
}

// outcome returns whether the response to a write is allowed, and the state after the write. If expected is empty, the write must succeed
// and the state is changed; otherwise the write must fail with that error code. A write without a known outcome is always allowed, and has
// its effect if expected is empty.
func outcome(line Line, expected string, unchanged, changed state) (bool, state) {
	switch {
	case line.unknown() && expected == "":
		return true, changed
	case line.unknown():
		return true, unchanged
	case expected == "":
		return line.succeeded(), changed
	}
	return line.Code == expected, unchanged
}

// claimsState has the claims of one session, in the order of their submission. For a write that moves money, the service payments decides
// first. The service claims commits the result later, and only then can a client read it. Before that commit, payments already decides
// other writes by its own newer state. Such a write is therefore two operations: the decision, which has the suffix inPayments, and the
// commit in claims.
type claimsState struct {
	claims []claim
	keys   keys
}

type claim struct {
	id       string // the claim's ID; empty until a response contains it
	key      string // the idempotency key of the submission
	status   string
	approved int64 // the approved amount; -1 without an adjudication
	remitted int64 // the remitted amount; -1 before the first remittance
	version  int   // the version of the current adjudication; 0 without one
	last     int   // the version of the last adjudication, also after a reversal
	facts    int
	valued   string // a hash of the valuation at each cutoff that was read

	owed     int64  // the approved amount in payments; -1 without an adjudication
	paid     int64  // the remitted amount in payments
	isClosed bool   // whether payments has posted the reversal
	posted   string // keys of the writes that payments has posted, each followed by a space
}

// inPayments is the suffix of the operation that decides a write in payments.
const inPayments = " in payments"

// decidedInPayments has the writes of a claim that payments decides before claims commits them.
var decidedInPayments = []string{"adjudicate", "remit", "reverse"}

func (c claim) isPosted(key string) bool { return strings.Contains(c.posted, key+" ") }

func (c claim) live() bool { return c.status != "cancelled" && c.status != "reversed" }
func (c claim) isDecided() bool {
	return c.status == "approved" || c.status == "partially_approved" || c.status == "denied"
}
func (c claim) isPayable() bool { return c.status == "approved" || c.status == "partially_approved" }

func (s claimsState) identity() string { return fmt.Sprint(s.claims, s.keys) }
func (s claimsState) describe() string {
	var parts []string
	for _, c := range s.claims {
		parts = append(parts, fmt.Sprintf("%s %s approved %s remitted %s version %d facts %d; in payments approved %s remitted %d closed %t",
			c.id, c.status, amount(c.approved), amount(c.remitted), c.version, c.facts, amount(c.owed), c.paid, c.isClosed))
	}
	return strings.Join(parts, "; ")
}

// post applies a write to the claim's state in the service payments, and returns whether payments can have accepted the write.
func (s claimsState) post(line Line) (bool, state) {
	index := slices.IndexFunc(s.claims, func(c claim) bool { return c.id == line.ID })
	if index < 0 {
		return line.unknown(), s
	}
	c := s.claims[index]
	if c.isPosted(line.Key) {
		return true, s
	}
	apply := func(change func(*claim)) (bool, state) {
		return true, s.with(index, func(c *claim) {
			change(c)
			c.posted = sorted(c.posted + line.Key + " ")
		})
	}
	switch {
	case line.Op == "adjudicate"+inPayments && !c.isClosed && c.paid == 0:
		return apply(func(c *claim) { c.owed = line.Amount })
	case line.Op == "remit"+inPayments && c.rejectionOf(line.Amount) == "":
		return apply(func(c *claim) { c.paid += line.Amount })
	case line.Op == "reverse"+inPayments && !c.isClosed && c.owed > 0:
		return apply(func(c *claim) { c.isClosed = true })
	}
	return line.unknown(), s
}

// rejectionOf returns the error code with which payments rejects a remittance of this amount; an empty string if payments accepts it.
func (c claim) rejectionOf(amount int64) string {
	if c.isClosed || c.owed <= 0 {
		return "claim_not_adjudicated"
	}
	return unless(c.paid+amount <= c.owed, "over_allocation")
}

func (s claimsState) step(line Line) (bool, state) {
	if strings.HasSuffix(line.Op, inPayments) {
		return s.post(line)
	}
	used, allowed, next := s.keys.replay(line)
	s.keys = next
	if used || !allowed {
		// If the first request of a submission had no response, the model does not know the claim's ID yet. The response to a repetition
		// contains it.
		if used && allowed && line.Op == "submit" && line.succeeded() {
			index := slices.IndexFunc(s.claims, func(c claim) bool { return c.key == line.Key })
			return s.claims[index].id == "" || s.claims[index].id == line.Seen.ID,
				s.with(index, func(c *claim) { c.id = line.Seen.ID })
		}
		return allowed, s
	}
	if line.Op == "submit" {
		created := s
		created.keys = s.keys.with(line)
		created.claims = append(slices.Clone(s.claims), claim{id: line.Seen.ID, key: line.Key,
			status: "submitted", approved: -1, remitted: -1, facts: 3, owed: -1})
		expected := ""
		if slices.ContainsFunc(s.claims, claim.live) {
			expected = "session_already_claimed"
		}
		return outcome(line, expected, s, created)
	}
	index := slices.IndexFunc(s.claims, func(c claim) bool { return c.id == line.ID })
	if index < 0 {
		return line.unknown() || line.Code == "resource_not_found", s
	}
	c := s.claims[index]
	write := func(expected string, change func(*claim)) (bool, state) {
		changed := s.with(index, func(c *claim) { change(c); c.facts++ })
		changed.keys = s.keys.with(line)
		return outcome(line, expected, s, changed)
	}
	switch line.Op {
	case "adjudicate":
		if line.Code == "invalid_state" {
			return c.status != "submitted" && !c.isDecided() || c.paid > 0 || c.isClosed, s
		}
		accepted, next := write(unless(c.isPosted(line.Key), "not posted"), func(c *claim) {
			c.last++
			c.approved, c.version = line.Amount, c.last
			c.status = decision(line.Amount, line.Billed)
		})
		return accepted && (!line.succeeded() || next.(claimsState).claims[index].matches(line.Seen)), next
	case "remit":
		if !line.succeeded() && !line.unknown() {
			return line.Code == c.rejectionOf(line.Amount), s
		}
		return write(unless(c.isPosted(line.Key), "not posted"),
			func(c *claim) { c.remitted = max(c.remitted, 0) + line.Amount })
	case "cancel":
		return write(unless(c.status == "submitted" || c.status == "queried", "invalid_state"),
			func(c *claim) { c.status = "cancelled" })
	case "reverse":
		if line.Code == "invalid_state" {
			return !c.isPayable() && c.status != "settled", s
		}
		return write(unless(c.isPosted(line.Key), "not posted"), func(c *claim) {
			c.status, c.approved, c.version = "reversed", -1, 0
		})
	case "read":
		return line.succeeded() && c.matches(line.Seen), s
	case "value", "revalue":
		return s.value(index, line)
	}
	return false, s
}

// value checks the response to a valuation. Two valuations with the same cutoff must have the same bytes. The cutoff of the operation
// "value" lies between its request and its response, so the valuation must also equal the claim's state at the place of this operation in
// the order of all operations.
func (s claimsState) value(index int, line Line) (bool, state) {
	c := s.claims[index]
	if !line.succeeded() {
		return false, s
	}
	if line.Op == "value" && (c.status != line.Seen.Status || c.facts != line.Seen.Facts || max(c.remitted, 0) != *line.Seen.Remitted) {
		return false, s
	}
	entry := line.Cutoff + "=" + line.Digest + ";"
	switch {
	case strings.Contains(c.valued, entry):
		return true, s
	case strings.Contains(c.valued, line.Cutoff+"="):
		return false, s
	}
	return true, s.with(index, func(c *claim) { c.valued = sorted(c.valued + entry) })
}

func (c claim) matches(seen Seen) bool {
	return c.status == seen.Status && amount(c.approved) == seenAmount(seen.Approved) &&
		amount(c.remitted) == seenAmount(seen.Remitted) && c.version == seen.Version
}

func (s claimsState) with(index int, change func(*claim)) claimsState {
	s.claims = slices.Clone(s.claims)
	change(&s.claims[index])
	return s
}

// coverageState has the pre-authorizations of a coverage. In the partition of the coverage (limited is true), the model checks the number
// of remaining sessions. In the partition of each pre-authorization, the model checks the status.
type coverageState struct {
	limited  bool
	approved string // the IDs of approved pre-authorizations, each followed by a space
	ended    string // the IDs of cancelled pre-authorizations, each followed by a space
	held     int64
	keys     keys
}

func (s coverageState) identity() string { return fmt.Sprint(s.approved, "|", s.ended, "|", s.keys) }
func (s coverageState) describe() string {
	return fmt.Sprintf("reserved %d, approved [%s] cancelled [%s]", s.held, s.approved, s.ended)
}

func (s coverageState) step(line Line) (bool, state) {
	used, allowed, next := s.keys.replay(line)
	s.keys = next
	if used || !allowed {
		return allowed, s
	}
	isApproved, isEnded := strings.Contains(s.approved, line.ID+" "), strings.Contains(s.ended, line.ID+" ")
	changed := s
	if !line.isRead() {
		changed.keys = s.keys.with(line)
	}
	switch line.Op {
	case "approve":
		changed.approved = sorted(s.approved + line.ID + " ")
		changed.held++
		isExhausted := line.Code == "benefit_exhausted"
		if s.limited {
			isExhausted = s.held >= line.Limit
		}
		expected := unless(!isExhausted, "benefit_exhausted")
		if isApproved || isEnded {
			expected = "invalid_state"
		}
		return outcome(line, expected, s, changed)
	case "cancel":
		changed.ended = sorted(s.ended + line.ID + " ")
		if isApproved {
			changed.approved = strings.Replace(s.approved, line.ID+" ", "", 1)
			changed.held--
		}
		return outcome(line, unless(!isEnded, "invalid_state"), s, changed)
	case "remaining":
		return line.succeeded() && seenAmount(line.Seen.Remaining) == amount(max(line.Limit-s.held, 0)), s
	case "read":
		status := "pending"
		if isApproved {
			status = "approved"
		} else if isEnded {
			status = "cancelled"
		}
		return line.succeeded() && line.Seen.Status == status, s
	}
	return false, s
}

// keyState is the use of one idempotency key by requests with different bodies.
type keyState struct{ keys keys }

func (s keyState) identity() string { return s.keys.String() }
func (s keyState) describe() string {
	if len(s.keys) == 0 {
		return "unused"
	}
	return "used by " + s.keys.String()
}

func (s keyState) step(line Line) (bool, state) {
	used, allowed, next := s.keys.replay(line)
	if used || !allowed {
		return allowed, keyState{next}
	}
	return outcome(line, "", s, keyState{s.keys.with(line)})
}

func decision(approved, billed int64) string {
	switch approved {
	case 0:
		return "denied"
	case billed:
		return "approved"
	}
	return "partially_approved"
}

func unless(allowed bool, code string) string {
	if allowed {
		return ""
	}
	return code
}

func sorted(list string) string {
	parts := strings.SplitAfter(list, string(list[len(list)-1]))
	slices.Sort(parts)
	return strings.Join(parts, "")
}

// amount formats an amount of a model, in which -1 is null.
func amount(value int64) string {
	if value < 0 {
		return "null"
	}
	return fmt.Sprint(value)
}

func seenAmount(value *int64) string {
	if value == nil {
		return "null"
	}
	return fmt.Sprint(*value)
}
