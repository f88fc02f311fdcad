package dev.outpost.models;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Text as it is generated, in pieces of whole characters. Holds back the beginning of a possible stop text until
 * further tokens show if it is one. Not thread-safe.
 */
public final class TextStream implements Iterator<String>, AutoCloseable {
    private final Generation generation;
    private final IncrementalDetokenizer detokenizer;
    private boolean isOver;
    private String next;

    public TextStream(Generation generation, Tokenizer tokenizer, List<String> stops) {
        this.generation = generation;
        detokenizer = new IncrementalDetokenizer(tokenizer, stops, 0);
    }

    @Override
    public boolean hasNext() {
        while (next == null && !isOver) {
            advance();
        }
        return next != null;
    }

    /** Returns the next piece, which is never empty. Waits for it. */
    @Override
    public String next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the text has ended");
        }
        String piece = next;
        next = null;
        return piece;
    }

    private void advance() {
        String piece = "";
        if (generation.hasNext()) {
            int id = generation.next()[0];
            if (!generation.ends(id)) {
                piece = detokenizer.add(id);
            }
        } else {
            piece = detokenizer.end();
            end();
        }
        if (detokenizer.isStopped()) {
            end();
        }
        next = piece.isEmpty() ? null : piece;
    }

    private void end() {
        isOver = true;
        generation.close();
    }

    /** Returns all tokens so far, without those that end the text. */
    public List<Integer> ids() {
        return detokenizer.ids();
    }

    /** Returns the rest of the text. Waits until the text is complete. */
    public String toEnd() {
        StringBuilder rest = new StringBuilder();
        forEachRemaining(rest::append);
        return rest.toString();
    }

    public Generation.Rates rates() {
        return generation.rates();
    }

    /** Ends the generation at any point. */
    @Override
    public void close() {
        end();
    }
}
