package example.carecover;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The items of all pages of a list. Each iteration reads the pages again, from the first one. */
public final class Items<T> implements Iterable<T> {
  /** Returns the items of the page after an item; of the first page for null. */
  private interface Pages<T> {
    Page<T> after(String id);
  }

  private record Page<T>(List<T> data, boolean hasMore) {}

  private final Pages<T> pages;
  private final Function<T, String> idOf;

  <P> Items(Function<String, P> fetch, Function<P, List<T>> data, Function<P, Boolean> hasMore, Function<T, String> idOf) {
    this.pages =
        id -> {
          P page = fetch.apply(id);
          return new Page<>(data.apply(page), Boolean.TRUE.equals(hasMore.apply(page)));
        };
    this.idOf = idOf;
  }

  /** Returns the items as a stream, which reads a page when it needs the page. */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private Page<T> page = null;
      private int next = 0;

      @Override
      public boolean hasNext() {
        if (page == null) page = pages.after(null);
        if (next < page.data().size()) return true;
        if (!page.hasMore() || page.data().isEmpty()) return false;
        page = pages.after(idOf.apply(page.data().get(page.data().size() - 1)));
        next = 0;
        return !page.data().isEmpty();
      }

      @Override
      public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        return page.data().get(next++);
      }
    };
  }
}
