package carecover

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Checks of what a program passes to the client, before a request is sent. No retry corrects an invalid value, so the
// call fails at once. A problem never contains the value.

type rule struct {
	isBroken func(string) bool
	problem  string
}

var (
	lineEnd    = rule{func(text string) bool { return strings.ContainsAny(text, "\r\n") }, "it has a line end"}
	control    = rule{func(text string) bool { return strings.ContainsFunc(text, unicode.IsControl) }, "it has a control character"}
	space      = rule{func(text string) bool { return strings.Contains(text, " ") }, "it has a space"}
	outerSpace = rule{func(text string) bool { return strings.Trim(text, " ") != text }, "it starts or ends with a space"}
	notASCII   = rule{func(text string) bool {
		return strings.ContainsFunc(text, func(character rune) bool { return character > unicode.MaxASCII })
	}, "it has a character that is not ASCII"}
)

// findProblem returns what is wrong with a text of one line; "" if nothing is.
func findProblem(text string, rules ...rule) string {
	if text == "" {
		return "it is empty"
	}
	for _, each := range append([]rule{lineEnd, control}, rules...) {
		if each.isBroken(text) {
			return each.problem
		}
	}
	return ""
}

// findSecretProblem returns what is wrong with the text of a secret, such as a line end from the file that contains it.
func findSecretProblem(secret string) string { return findProblem(secret, notASCII, space) }

// findHeaderProblem returns what is wrong with the value of a header (RFC 9110, section 5.5, in ASCII only).
func findHeaderProblem(value string) string { return findProblem(value, notASCII, outerSpace) }

func findBaseURLProblem(text string) string {
	if problem := findProblem(text, space); problem != "" {
		return problem
	}
	parsed, err := url.Parse(text)
	switch {
	case err != nil || parsed.Opaque != "":
		return "it is no URL"
	case parsed.Scheme != "https" && parsed.Scheme != "http":
		return "it does not start with https:// or http://"
	case parsed.Host == "":
		return "it has no host"
	case parsed.User != nil:
		return "it has a user or a password"
	case strings.ContainsAny(text, "?#"):
		return "it has a query or a fragment"
	}
	return ""
}

// findInvalidText returns the JSON pointer of the first text of a body that is not UTF-8: encoding/json would replace its
// invalid bytes by another character. It returns false if there is none.
func findInvalidText(value reflect.Value, pointer string) (string, bool) {
	switch value.Kind() {
	case reflect.String:
		return pointer, !utf8.ValidString(value.String())
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			return findInvalidText(value.Elem(), pointer)
		}
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(value.Type()) {
			if field.Anonymous || !field.IsExported() {
				continue
			}
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if found, is := findInvalidText(value.FieldByIndex(field.Index), pointer+"/"+name); is {
				return found, true
			}
		}
	case reflect.Slice, reflect.Array:
		for index := range value.Len() {
			if found, is := findInvalidText(value.Index(index), fmt.Sprintf("%s/%d", pointer, index)); is {
				return found, true
			}
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			if found, is := findInvalidText(value.MapIndex(key), fmt.Sprintf("%s/%v", pointer, key)); is {
				return found, true
			}
		}
	}
	return "", false
}

// Matches identifiers that can be inserted in a path. Another character, such as /, could make the path that of another
// operation.
var identifier = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// fillPath replaces the parameters of a path by the identifiers, in their order.
func fillPath(path string, ids []string) (string, error) {
	var invalid error
	filled := pathParameter.ReplaceAllStringFunc(path, func(parameter string) string {
		id := ids[0]
		ids = ids[1:]
		if !identifier.MatchString(id) {
			invalid = &InputError{strings.Trim(parameter, "{}") + " must be an identifier such as clm_0199f2a4"}
		}
		return id
	})
	return filled, invalid
}
