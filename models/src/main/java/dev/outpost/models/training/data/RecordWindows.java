package dev.outpost.models.training.data;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/**
 * The lines of files, in an order that a seed determines. Files are cut into blocks. A line belongs to the block in which it begins. An
 * epoch visits the blocks in a random order. Several blocks together are a window, whose lines are in a random order. So only one window is
 * in memory, and epoch, window and index are enough to find a position again. Immutable.
 */
final class RecordWindows {
    static final int BLOCK_BYTES = 1 << 20;
    static final int WINDOW_BLOCKS = 8;
    private static final int MAX_OF_A_LINE = 16 << 20;
    private static final int PIECE = 64 << 10;

    private final List<Block> blocks = new ArrayList<>();
    private final OptionalLong seed;
    private final int windowBlocks;

    private record Block(DataFile file, long from, long to) {}

    /** @param seed the seed of the order; empty for the order of the files */
    RecordWindows(List<DataFile> files, OptionalLong seed, int blockBytes, int windowBlocks) {
        this.seed = seed;
        this.windowBlocks = windowBlocks;
        for (DataFile file : files) {
            for (long from = 0; from < file.size(); from += blockBytes) {
                blocks.add(new Block(file, from, Math.min(file.size(), from + blockBytes)));
            }
        }
    }

    /** Returns the number of windows in an epoch. */
    long windows() {
        return Math.ceilDiv(blocks.size(), windowBlocks);
    }

    /** Returns the lines of a window that are not empty, in their order. Waits for the files. */
    List<TextRecord> window(long epoch, long window) {
        List<Block> order = new ArrayList<>(blocks);
        if (seed.isPresent()) {
            Collections.shuffle(order, random(epoch, -1));
        }
        int first = Math.toIntExact(window * windowBlocks);
        List<TextRecord> records = new ArrayList<>();
        for (Block block : order.subList(first, Math.min(order.size(), first + windowBlocks))) {
            read(block, records);
        }
        if (seed.isPresent()) {
            Collections.shuffle(records, random(epoch, window));
        }
        return records;
    }

    private Random random(long epoch, long window) {
        long mixed =
                seed.getAsLong() * 0x9E3779B97F4A7C15L + epoch * 0xBF58476D1CE4E5B9L + window * 0x94D049BB133111EBL;
        return new Random(mixed ^ mixed >>> 29);
    }

    private static void read(Block block, List<TextRecord> records) {
        // Also reads the byte before, which shows whether a line begins with the block.
        long from = Math.max(0, block.from - 1);
        byte[] bytes = whole(block, from);
        int start = block.from == 0 ? 0 : behindLine(bytes, 0);
        int end = (int) (block.to - from);
        while (start < end && start < bytes.length) {
            int next = behindLine(bytes, start);
            String line = new String(bytes, start, next - start, StandardCharsets.UTF_8).strip();
            if (!line.isEmpty()) {
                records.add(new TextRecord(line, block.file.name() + " at byte " + (from + start)));
            }
            start = next;
        }
    }

    /** Returns the index after the next line end, or the length if there is none. */
    private static int behindLine(byte[] bytes, int from) {
        int place = from;
        while (place < bytes.length && bytes[place] != '\n') {
            place++;
        }
        return Math.min(bytes.length, place + 1);
    }

    /** Returns the bytes of a block, and the rest of its last line. */
    private static byte[] whole(Block block, long from) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(block.file.read(from, (int) (block.to - from)));
        long at = block.to;
        boolean isWhole = endsLine(bytes.toByteArray()) || at >= block.file.size();
        while (!isWhole) {
            byte[] piece = block.file.read(at, PIECE);
            int next = behindLine(piece, 0);
            bytes.write(piece, 0, next);
            at += next;
            isWhole = next > 0 && piece[next - 1] == '\n' || at >= block.file.size() || next == 0;
            if (at - block.to > MAX_OF_A_LINE) {
                throw new OutpostException(
                        FaultKind.USER,
                        block.file.name() + ": a line at byte " + block.to + " has over " + MAX_OF_A_LINE
                                + " bytes; are there lines at all?");
            }
        }
        return bytes.toByteArray();
    }

    private static boolean endsLine(byte[] bytes) {
        return bytes.length > 0 && bytes[bytes.length - 1] == '\n';
    }
}
