package dev.outpost.runtime.cuda.code;

import java.util.List;

/**
 * The source of a kernel in pieces. Two sources are equal if all their pieces are, which is compared without joining them.
 *
 * @param head definitions of words that the parts leave open
 * @param parts files of text
 * @param tail generated text
 */
public record CudaSource(String head, List<Part> parts, String tail) {
    public CudaSource {
        parts = List.copyOf(parts);
    }

    /** Joins the whole text. */
    public String text() {
        StringBuilder text = new StringBuilder(head);
        parts.forEach(part -> text.append(part.text()));
        return text.append(tail).toString();
    }
}
