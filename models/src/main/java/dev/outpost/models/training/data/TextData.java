package dev.outpost.models.training.data;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Batches of tokens from the lines of files. Lines are streamed, so only a window of a few megabytes is in memory. With a seed they are
 * shuffled, in another order in each epoch. If packed, texts fill the rows one after the other, and a text that does not fit continues in
 * the next row. Otherwise each text has its own row and is truncated. Not thread-safe.
 */
public final class TextData implements TrainingData<TokenBatch> {
    private static final String EPOCH = "epoch";
    private static final String WINDOW = "window";
    private static final String RECORD = "record";
    private static final String TOKEN = "token";

    private final RecordWindows records;
    private final TextFormat format;
    private final Shape shape;
    private long epoch;
    private long window;
    private int record;
    private int token;
    private List<TextRecord> lines;
    private TokenizedText text;

    /**
     * The shape of batches.
     *
     * @param rows number of rows in a batch
     * @param tokens number of tokens in a row
     * @param isPacked true if a row may have several texts
     */
    public record Shape(int rows, int tokens, boolean isPacked) {
        public Shape {
            if (rows < 1 || tokens < 2) {
                throw new OutpostException(
                        FaultKind.USER,
                        "data: expected at least 1 row of at least 2 tokens, got " + rows + " of " + tokens);
            }
        }
    }

    /** @param seed the seed of the order of lines; empty for the order of the files */
    public TextData(List<DataFile> files, TextFormat format, Shape shape, OptionalLong seed) {
        this(files, format, shape, seed, RecordWindows.BLOCK_BYTES, RecordWindows.WINDOW_BLOCKS);
    }

    TextData(
            List<DataFile> files, TextFormat format, Shape shape, OptionalLong seed, int blockBytes, int windowBlocks) {
        this.records = new RecordWindows(files, seed, blockBytes, windowBlocks);
        this.format = format;
        this.shape = shape;
    }

    @Override
    public TokenBatch next() {
        return filled(Long.MAX_VALUE);
    }

    /**
     * Returns the batches of one epoch from here on, for example for an evaluation. The last batch may have rows without a
     * text.
     *
     * @param max the maximum number of batches
     */
    public List<TokenBatch> epoch(int max) {
        List<TokenBatch> batches = new ArrayList<>();
        long last = epoch;
        while (batches.size() < max) {
            TokenBatch batch = filled(last);
            if (batch.tokenCount() == 0) {
                break;
            }
            batches.add(batch);
        }
        return batches;
    }

    /** @param last the last epoch to take texts from */
    private TokenBatch filled(long last) {
        Rows rows = new Rows(shape);
        for (int row = 0; row < shape.rows(); row++) {
            fill(rows, row, last);
        }
        return rows.batch();
    }

    private void fill(Rows rows, int row, long last) {
        int filled = 0;
        int number = 1;
        while (filled < shape.tokens() && find(last)) {
            int count = Math.min(shape.tokens() - filled, text.ids().length - token);
            rows.put(row, filled, number++, text, token, count);
            filled += count;
            token += count;
            if (!shape.isPacked()) {
                token = text.ids().length;
                return;
            }
        }
    }

    /** Ensures that a text has an unused token. Returns false if none remains up to the epoch {@code last}. */
    private boolean find(long last) {
        long emptySince = epoch;
        while (text == null || token >= text.ids().length) {
            if (text != null) {
                text = null;
                token = 0;
                record++;
            }
            if (lines == null) {
                if (epoch > last) {
                    return false;
                }
                lines = records.window(epoch, window);
            }
            if (record >= lines.size()) {
                lines = null;
                record = 0;
                window++;
                if (window >= records.windows()) {
                    window = 0;
                    epoch++;
                    if (epoch > emptySince + 1) {
                        throw new OutpostException(FaultKind.USER, "data: the files have no line with a token");
                    }
                }
                continue;
            }
            text = tokenized(lines.get(record));
        }
        return true;
    }

    private TokenizedText tokenized(TextRecord line) {
        try {
            return format.tokens(line.text());
        } catch (OutpostException failure) {
            throw new OutpostException(failure.kind(), "data: " + line.place() + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public Map<String, Long> position() {
        Map<String, Long> position = new LinkedHashMap<>();
        position.put(EPOCH, epoch);
        position.put(WINDOW, window);
        position.put(RECORD, (long) record);
        position.put(TOKEN, (long) token);
        return position;
    }

    @Override
    public void moveTo(Map<String, Long> position) {
        for (String key : List.of(EPOCH, WINDOW, RECORD, TOKEN)) {
            if (position.getOrDefault(key, -1L) < 0) {
                throw new OutpostException(
                        FaultKind.USER, "data: expected a position with " + key + " from 0 on, got " + position);
            }
        }
        if (position.get(WINDOW) >= records.windows()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "data: the position is of other files: it is in window " + position.get(WINDOW) + ", and there are "
                            + records.windows());
        }
        epoch = position.get(EPOCH);
        window = position.get(WINDOW);
        lines = records.window(epoch, window);
        record = Math.toIntExact(position.get(RECORD));
        token = Math.toIntExact(position.get(TOKEN));
        text = record < lines.size() ? tokenized(lines.get(record)) : null;
        if (text == null && token > 0 || text != null && token > text.ids().length) {
            throw new OutpostException(FaultKind.USER, "data: the position is of other files: there is no " + position);
        }
    }

    @Override
    public double epoch() {
        double ofWindow = lines == null || lines.isEmpty() ? 0 : (double) record / lines.size();
        return epoch + (window + ofWindow) / records.windows();
    }

    /** The rows of a batch that is being filled. */
    private static final class Rows {
        private final Shape shape;
        private final int[] ids;
        private final int[] labels;
        private final int[] positions;
        private final int[] texts;

        Rows(Shape shape) {
            this.shape = shape;
            int size = Math.multiplyExact(shape.rows(), shape.tokens());
            ids = new int[size];
            labels = new int[size];
            positions = new int[size];
            texts = new int[size];
            java.util.Arrays.fill(labels, TokenBatch.NO_LABEL);
        }

        /** Adds a part of a text, which counts as a separate text in its row. */
        void put(int row, int at, int number, TokenizedText text, int from, int count) {
            for (int token = 0; token < count; token++) {
                int place = row * shape.tokens() + at + token;
                int next = from + token + 1;
                ids[place] = text.ids()[from + token];
                positions[place] = token;
                texts[place] = number;
                if (next < text.ids().length && text.isLearned()[next]) {
                    labels[place] = text.ids()[next];
                }
            }
        }

        TokenBatch batch() {
            return new TokenBatch(shape.rows(), shape.tokens(), ids, labels, positions, texts);
        }
    }
}
