package dev.outpost.protocol.files;

import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Recognizes files that a download left in place of the wanted one: pointers of Git LFS, and pages of HTML. */
public final class Placeholders {
    /** The number of bytes at the start of a file that suffice to recognize a placeholder. */
    public static final int BYTES = 256;

    private static final String POINTER = "version https://git-lfs.github.com/spec/";

    private Placeholders() {}

    /** Throws MalformedException if a file is a placeholder. The message says which kind it is and how to get the real file. */
    public static void require(ReadableBytes file) throws IOException {
        require(file.name(), file.read(0, (int) Math.min(BYTES, file.size())));
    }

    /**
     * Checks like {@link #require(ReadableBytes)}.
     *
     * @param name the name of the file in the error
     * @param beginning its first bytes, up to {@link #BYTES} of them
     */
    public static void require(String name, byte[] beginning) {
        description(beginning).ifPresent(what -> {
            throw new MalformedException(name + " " + what);
        });
    }

    /**
     * Returns the description of a placeholder and how to get the real file, from the first bytes of a file; empty if it is not a
     * placeholder.
     */
    public static Optional<String> description(byte[] beginning) {
        String text = new String(beginning, 0, Math.min(BYTES, beginning.length), StandardCharsets.ISO_8859_1);
        if (text.startsWith(POINTER) || text.length() > 8 && POINTER.startsWith(text.stripTrailing())) {
            return Optional.of("is a pointer of Git LFS, not the file that it stands for; run \"git lfs pull\" in the"
                    + " repository, or download the file itself");
        }
        String page =
                text.replaceFirst("^\\u00ef\\u00bb\\u00bf", "").stripLeading().toLowerCase(Locale.ROOT);
        if (page.startsWith("<!doctype html") || page.startsWith("<html")) {
            return Optional.of("is a page of HTML, such as a page to log in, not the file; log in to the place that"
                    + " it comes from (HF_TOKEN for the hub), and download it again");
        }
        return Optional.empty();
    }
}
