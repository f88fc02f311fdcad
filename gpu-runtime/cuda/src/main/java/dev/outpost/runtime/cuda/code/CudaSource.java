package dev.outpost.runtime.cuda.code;

import java.util.List;

/**
 * The input of a compiler, in pieces: two are equal where all their pieces are, which is seen without putting them
 * together.
 *
 * @param head words that the parts leave open
 * @param parts files of text
 * @param tail what was generated
 */
public record CudaSource(String head, List<Part> parts, String tail) {
    public CudaSource {
        parts = List.copyOf(parts);
    }

    /** All of it. */
    public String text() {
        StringBuilder text = new StringBuilder(head);
        parts.forEach(part -> text.append(part.text()));
        return text.append(tail).toString();
    }
}
