package example.carecover;

/**
 * A file that an operation receives.
 *
 * @param content the bytes of the file
 * @param mediaType the type of the unpacked content, such as {@code application/x-ndjson}
 * @param isGzip whether the content is compressed by gzip
 */
public record Upload(byte[] content, String mediaType, boolean isGzip) {
  /** Creates a file that is not compressed. */
  public Upload(byte[] content, String mediaType) {
    this(content, mediaType, false);
  }
}
