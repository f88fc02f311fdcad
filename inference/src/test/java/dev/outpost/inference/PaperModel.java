package dev.outpost.inference;

import java.util.concurrent.CompletableFuture;

/**
 * A model on paper: its cache holds tokens, and the next token follows from all that the blocks of a text hold up to its position. A
 * text whose blocks hold another's tokens goes on in a wrong way.
 */
final class PaperModel {
    static final int VOCABULARY = 1000;
    static final int ADAPTERS = 3;
    private static final int BLOCK_SIZE = 4;

    private final int[][] cache;
    private final int[] latest;
    /** The most tokens that were computed in a step. */
    int maxRows;

    PaperModel(int blocks, int maxNumSeqs) {
        cache = new int[blocks + 1][BLOCK_SIZE];
        latest = new int[maxNumSeqs + 1];
    }

    static BlockManager allocator(int blocks) {
        return new BlockManager(blocks, BLOCK_SIZE);
    }

    BatchEngine engine(int maxNumSeqs, BlockManager blocks, BatchSettings settings) {
        return new BatchEngine(
                this::run,
                blocks,
                maxNumSeqs,
                200,
                VOCABULARY,
                ADAPTERS,
                java.util.Set.of(0),
                settings,
                BatchListener.NONE);
    }

    /** Computed at once, as steps are in the order in which they are enqueued. */
    CompletableFuture<StepResult> run(ModelStep step) {
        maxRows = Math.max(maxRows, step.rows());
        for (int row = 0; row < step.rows(); row++) {
            int slot = step.slot(row);
            int token = step.token(row) == ModelStep.LATEST ? latest[slot] : step.token(row);
            int position = step.position(row);
            cache[step.blocks(slot)[position / BLOCK_SIZE]][position % BLOCK_SIZE] =
                    token + VOCABULARY * step.adapter(slot);
        }
        int[] tokens = new int[step.chosen()];
        for (int choice = 0; choice < tokens.length; choice++) {
            int row = step.chosenRow(choice);
            int[] blocks = step.blocks(step.slot(row));
            int state = 1;
            for (int place = 0; place <= step.position(row); place++) {
                state = next(state, cache[blocks[place / BLOCK_SIZE]][place % BLOCK_SIZE]);
            }
            tokens[choice] = token(state);
        }
        for (int choice = 0; choice < tokens.length; choice++) {
            latest[step.slot(step.chosenRow(choice))] = tokens[choice];
        }
        return CompletableFuture.completedFuture(new StepResult(tokens, null));
    }

    private static int next(int state, int token) {
        return state * 31 + token + 7;
    }

    /** Never the token that ends a text. */
    private static int token(int state) {
        return 1 + Math.floorMod(state * 0x9E3779B9 >>> 7, VOCABULARY - 1);
    }

    /** Returns the text after a prompt, without an adapter. */
    static int[] text(int[] prompt, int count) {
        return text(prompt, 0, count);
    }

    /** The tokens that come behind a prompt. */
    static int[] text(int[] prompt, int adapter, int count) {
        int own = VOCABULARY * adapter;
        int state = 1;
        for (int token : prompt) {
            state = next(state, token + own);
        }
        int[] text = new int[count];
        for (int place = 0; place < count; place++) {
            text[place] = token(state);
            state = next(state, text[place] + own);
        }
        return text;
    }
}
