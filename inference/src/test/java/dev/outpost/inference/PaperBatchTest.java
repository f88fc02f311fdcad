package dev.outpost.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.models.Sampling;
import dev.outpost.support.tests.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The engine over a model on paper: who is computed when, and whose blocks are whose. */
class PaperBatchTest {
    private static final int[] PROMPT = {5, 6, 7, 8, 9, 10, 11, 12, 13};

    private static Sampling most(int tokens) {
        return Sampling.greedy().maxTokens(tokens);
    }

    @Test
    void tenThousandTextsWithPrefixesPreemptionsAndCancelledOnesLeakNoBlock() throws Exception {
        BlockManager blocks = PaperModel.allocator(60);
        PaperModel model = new PaperModel(60, 8);
        try (BatchEngine engine = model.engine(8, blocks, new BatchSettings(24, 20_000, 2));
                var callers = Executors.newFixedThreadPool(4)) {
            List<Future<?>> done = new ArrayList<>();
            for (int caller = 0; caller < 4; caller++) {
                int seed = caller;
                done.add(callers.submit(() -> {
                    submitMany(engine, new Random(seed), 2500);
                    return null;
                }));
            }
            for (Future<?> one : done) {
                one.get();
            }
            assertTrue(engine.statistics().preemptions() > 100, () -> "preemptions: " + engine.statistics());
            assertTrue(engine.statistics().cachedTokens() > 1000, () -> "prefixes: " + engine.statistics());
            assertTrue(engine.drain(Await.GUARD));
            assertEquals(60, engine.statistics().freeBlocks());
            assertEquals(0, engine.statistics().running() + engine.statistics().waiting());
            assertTrue(model.maxRows <= 24, () -> model.maxRows + " rows in a step");
        }
    }

    private static void submitMany(BatchEngine engine, Random random, int count) throws Exception {
        List<Runnable> checks = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            int[] prompt = prompt(random);
            int max = 1 + random.nextInt(60);
            int adapter = random.nextInt(1 + PaperModel.ADAPTERS);
            Collected text = new Collected();
            BatchEngine.RequestHandle handle = engine.submit(BatchRequest.of(prompt, most(max), text)
                    .withPriority(random.nextInt(2))
                    .withAdapter(adapter));
            boolean isCancelled = random.nextInt(4) == 0;
            if (isCancelled) {
                handle.cancel();
            }
            checks.add(() -> check(text, prompt, adapter, max, isCancelled));
            if (number % 50 == 49) {
                checks.forEach(Runnable::run);
                checks.clear();
            }
        }
        checks.forEach(Runnable::run);
    }

    private static void check(Collected text, int[] prompt, int adapter, int max, boolean isCancelled) {
        try {
            int[] tokens = text.tokens();
            int count = isCancelled ? tokens.length : max;
            assertArrayEquals(PaperModel.text(prompt, adapter, count), tokens);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    /** Half of them begin with one of a few beginnings. */
    private static int[] prompt(Random random) {
        int[] own =
                random.ints(1 + random.nextInt(30), 1, PaperModel.VOCABULARY).toArray();
        if (random.nextBoolean()) {
            int beginning = random.nextInt(3);
            int[] both = new int[20 + own.length];
            Arrays.fill(both, 0, 20, 100 + beginning);
            System.arraycopy(own, 0, both, 20, own.length);
            return both;
        }
        return own;
    }

    @Test
    void anEqualBeginningIsComputedOnce() throws Exception {
        BlockManager blocks = PaperModel.allocator(40);
        try (BatchEngine engine = new PaperModel(40, 4).engine(4, blocks, BatchSettings.standard())) {
            List<Collected> texts = List.of(new Collected(), new Collected(), new Collected());
            engine.submit(texts.stream()
                    .map(text -> BatchRequest.of(PROMPT, most(5), text))
                    .toList());
            for (Collected text : texts) {
                assertArrayEquals(PaperModel.text(PROMPT, 5), text.tokens());
            }
            assertEquals(0, texts.get(0).end().cachedTokens());
            assertEquals(8, texts.get(1).end().cachedTokens());
            assertEquals(8, texts.get(2).end().cachedTokens());
        }
    }

    @Test
    void aTextThatCannotFitIsRefused() {
        BlockManager blocks = PaperModel.allocator(4);
        try (BatchEngine engine = new PaperModel(4, 4).engine(4, blocks, BatchSettings.standard())) {
            String message = assertThrows(
                            IllegalArgumentException.class,
                            () -> engine.submit(BatchRequest.of(PROMPT, most(8), new Collected())))
                    .getMessage();
            assertEquals(
                    "this model's maximum context length is 16 tokens, and 17 are asked for: 9 of the prompt and 8 new"
                            + " ones",
                    message);
        }
    }

    /** A model whose steps are computed when the test says so. */
    private static final class Steps {
        final PaperModel model;
        final Semaphore allowed = new Semaphore(0);
        final Semaphore begun = new Semaphore(0);

        Steps(PaperModel model) {
            this.model = model;
        }

        CompletableFuture<StepResult> run(ModelStep step) {
            begun.release();
            allowed.acquireUninterruptibly();
            return model.run(step);
        }

        BatchEngine engine(int maxNumSeqs, BlockManager blocks, BatchSettings settings) {
            return new BatchEngine(
                    this::run,
                    blocks,
                    maxNumSeqs,
                    200,
                    PaperModel.VOCABULARY,
                    0,
                    Set.of(0),
                    settings,
                    BatchListener.NONE);
        }
    }

    @Test
    void blocksOfACancelledTextAreFreeWithinAStep() throws Exception {
        BlockManager blocks = PaperModel.allocator(20);
        Steps steps = new Steps(new PaperModel(20, 4));
        try (BatchEngine engine = steps.engine(4, blocks, new BatchSettings(32, 8, 0))) {
            Collected gone = new Collected();
            Collected stays = new Collected();
            BatchEngine.RequestHandle handle = engine.submit(BatchRequest.of(PROMPT, most(50), gone));
            engine.submit(BatchRequest.of(PROMPT, most(3), stays));
            steps.begun.acquire();
            handle.cancel();
            steps.allowed.release();
            // The step behind that one knows.
            assertEquals(Finish.Reason.CANCELLED, gone.end().reason());
            assertTrue(gone.soFar().size() <= 1);
            steps.allowed.release(1000);
            assertArrayEquals(PaperModel.text(PROMPT, 3), stays.tokens());
            assertTrue(engine.drain(Await.GUARD));
            assertEquals(20, engine.statistics().freeBlocks());
        }
    }

    @Test
    void aTextPastItsDeadlineFailsAndGivesItsBlocksBack() throws Exception {
        BlockManager blocks = PaperModel.allocator(20);
        try (BatchEngine engine = new PaperModel(20, 4).engine(4, blocks, BatchSettings.standard())) {
            Collected late = new Collected();
            engine.submit(BatchRequest.of(PROMPT, most(50), late).withDeadline(System.nanoTime()));
            ExecutionException failed = assertThrows(ExecutionException.class, late::end);
            assertTrue(failed.getCause() instanceof DeadlineException, failed::toString);
            assertTrue(engine.drain(Await.GUARD));
            assertEquals(20, engine.statistics().freeBlocks());
        }
    }

    @Test
    void requestBehindALongQueueIsToldWhenToRetry() throws Exception {
        BlockManager blocks = PaperModel.allocator(20);
        Steps steps = new Steps(new PaperModel(20, 1));
        try (BatchEngine engine = steps.engine(1, blocks, new BatchSettings(32, 2, 0))) {
            engine.submit(BatchRequest.of(PROMPT, most(2), new Collected()));
            steps.begun.acquire();
            Collected last = new Collected();
            engine.submit(BatchRequest.of(PROMPT, most(2), new Collected()));
            engine.submit(BatchRequest.of(PROMPT, most(2), last));
            QueueFullException full = assertThrows(
                    QueueFullException.class, () -> engine.submit(BatchRequest.of(PROMPT, most(2), new Collected())));
            assertTrue(full.retryAfter().toSeconds() >= 1, full::getMessage);
            steps.allowed.release(1000);
            last.end();
        }
    }

    @Test
    void keysTakeTurnsHoweverManyTextsOneHas() throws Exception {
        BlockManager blocks = PaperModel.allocator(40);
        Steps steps = new Steps(new PaperModel(40, 1));
        List<String> order = new ArrayList<>();
        try (BatchEngine engine = steps.engine(1, blocks, new BatchSettings(32, 100, 0))) {
            engine.submit(BatchRequest.of(PROMPT, most(1), new Collected()).withKey("busy"));
            steps.begun.acquire();
            CountDownLatch left = new CountDownLatch(9);
            for (int text = 0; text < 6; text++) {
                engine.submit(recorded(order, left, "busy", 0));
            }
            for (int text = 0; text < 2; text++) {
                engine.submit(recorded(order, left, "quiet", 0));
            }
            engine.submit(recorded(order, left, "urgent", 1));
            steps.allowed.release(1000);
            Await.opened("all texts have left", left);
        }
        assertEquals("urgent", order.get(0), order::toString);
        assertTrue(order.lastIndexOf("quiet") <= 4, order::toString);
    }

    private static BatchRequest recorded(List<String> order, CountDownLatch left, String key, int priority) {
        return BatchRequest.of(PROMPT, most(4), new Collected() {
                    @Override
                    public void finished(Finish how) {
                        order.add(key);
                        left.countDown();
                    }
                })
                .withKey(key)
                .withPriority(priority);
    }

    @Test
    void aMachineThatFailsFailsAllTextsAndRefusesLaterOnes() throws Exception {
        BlockManager blocks = PaperModel.allocator(40);
        Semaphore submitted = new Semaphore(0);
        try (BatchEngine engine = new BatchEngine(
                step -> {
                    submitted.acquireUninterruptibly();
                    return CompletableFuture.failedFuture(new IllegalStateException("the cable is cut"));
                },
                blocks,
                1,
                200,
                PaperModel.VOCABULARY,
                0,
                Set.of(),
                BatchSettings.standard(),
                BatchListener.NONE)) {
            Collected running = new Collected();
            Collected waiting = new Collected();
            engine.submit(BatchRequest.of(PROMPT, most(2), running));
            engine.submit(BatchRequest.of(PROMPT, most(2), waiting));
            submitted.release(100);
            for (Collected text : List.of(running, waiting)) {
                ExecutionException failed = assertThrows(ExecutionException.class, text::end);
                assertEquals(
                        "the machine has failed: the cable is cut",
                        failed.getCause().getMessage());
            }
            engine.awaitEnd();
            assertThrows(
                    EngineStoppedException.class,
                    () -> engine.submit(BatchRequest.of(PROMPT, most(2), new Collected())));
            assertEquals(40, engine.statistics().freeBlocks());
        }
    }

    /** Also of a text with penalties, whose choice depends on the token before. */
    @Test
    void aStepIsEnqueuedBeforeTheOneBeforeIsRead() throws Exception {
        BlockManager blocks = PaperModel.allocator(40);
        PaperModel model = new PaperModel(40, 1);
        Semaphore begun = new Semaphore(0);
        CompletableFuture<Void> isRead = new CompletableFuture<>();
        try (BatchEngine engine = new BatchEngine(
                step -> {
                    begun.release();
                    StepResult result = model.run(step).join();
                    return isRead.thenApply(nothing -> result);
                },
                blocks,
                1,
                200,
                PaperModel.VOCABULARY,
                0,
                Set.of(),
                new BatchSettings(32, 8, 3),
                BatchListener.NONE)) {
            Collected text = new Collected();
            engine.submit(BatchRequest.of(PROMPT, most(5).frequencyPenalty(1), text));
            // No step has a result yet.
            assertTrue(begun.tryAcquire(4, Await.GUARD.toSeconds(), TimeUnit.SECONDS));
            assertEquals(List.of(), text.soFar());
            isRead.complete(null);
            assertArrayEquals(PaperModel.text(PROMPT, 5), text.tokens());
        }
    }

    @Test
    void aSinkThatWantsNoMoreEndsItsText() throws Exception {
        BlockManager blocks = PaperModel.allocator(40);
        try (BatchEngine engine = new PaperModel(40, 2).engine(2, blocks, BatchSettings.standard())) {
            Collected text = new Collected() {
                @Override
                public boolean accept(int token, TokenLogprobs values) {
                    super.accept(token, values);
                    return soFar().size() < 3;
                }
            };
            engine.submit(BatchRequest.of(PROMPT, most(50), text));
            assertEquals(Finish.Reason.STOP, text.end().reason());
            assertEquals(3, text.end().newTokens());
        }
    }
}
