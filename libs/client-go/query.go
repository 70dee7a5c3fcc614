package carecover

import (
	"iter"
	"net/url"
	"strconv"
	"time"
)

func setText[T ~string](values url.Values, name string, value T) {
	if value != "" {
		values.Set(name, string(value))
	}
}

func setInt(values url.Values, name string, value int) {
	if value != 0 {
		values.Set(name, strconv.Itoa(value))
	}
}

func setTime(values url.Values, name string, value time.Time) {
	if !value.IsZero() {
		values.Set(name, value.UTC().Format(time.RFC3339Nano))
	}
}

// items returns an iterator over the items of all pages. fetch returns the items of a page and whether there are more;
// after changes the query to that of the page after an item. Each iteration reads the pages again.
func items[T, Q any](first Q, fetch func(Q) ([]T, bool, error), after func(*Q, T)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for query := first; ; {
			data, hasMore, err := fetch(query)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range data {
				if !yield(item, nil) {
					return
				}
			}
			if !hasMore || len(data) == 0 {
				return
			}
			after(&query, data[len(data)-1])
		}
	}
}
