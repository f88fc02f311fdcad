package dev.outpost.models.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.CausalLM;
import dev.outpost.models.lora.LoraAdapter;
import dev.outpost.models.lora.LoraConfig;
import dev.outpost.models.lora.PeftFiles;
import dev.outpost.models.training.data.TokenBatch;
import dev.outpost.models.training.data.TrainingData;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.LambdaLR;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Training by the fixtures of {@code make_adapters.py}, whose formulas for batches and rates are here again. */
class TrainerTest {
    private static final int STEPS = 8;
    private static final int WARMUP = 2;
    private static final int ROWS = 2;
    private static final int TOKENS = 12;
    private static final String FIXTURES =
            TrainerTest.class.getResource("/fixtures").getPath();

    @TempDir
    private Path folder;

    /** The batches of the fixtures: two for each step. */
    private static final class FixtureData implements TrainingData<TokenBatch> {
        private long next;

        @Override
        public TokenBatch next() {
            return batch(next / 2, next++ % 2);
        }

        static TokenBatch batch(long step, long micro) {
            int size = ROWS * TOKENS;
            int[] ids = new int[size];
            int[] labels = new int[size];
            int[] positions = new int[size];
            int[] texts = new int[size];
            Arrays.fill(texts, 1);
            for (int place = 0; place < size; place++) {
                int row = place / TOKENS;
                int token = place % TOKENS;
                ids[place] = (int) ((7 * row + 3 * token * token + 11 * step + 5 * micro) % 64);
                labels[place] = token % 3 == 0 ? TokenBatch.NO_LABEL : (ids[place] * 5 + token) % 64;
                positions[place] = token;
            }
            return new TokenBatch(ROWS, TOKENS, ids, labels, positions, texts);
        }

        @Override
        public Map<String, Long> position() {
            return Map.of("next", next);
        }

        @Override
        public void moveTo(Map<String, Long> position) {
            next = position.get("next");
        }

        @Override
        public double epoch() {
            return next / 16.0;
        }
    }

    private static double rate(long step) {
        return step < WARMUP
                ? (double) step / WARMUP
                : 0.5 * (1 + Math.cos(Math.PI * (step - WARMUP) / (STEPS - WARMUP)));
    }

    /** Everything that is told, in order. */
    private static final class Told implements TrainingListener {
        private final List<TrainingStep> steps = new ArrayList<>();
        private final List<Evaluation> evaluations = new ArrayList<>();
        private final List<SavedCheckpoint> saved = new ArrayList<>();
        private long begun = -1;
        private TrainingSummary summary;

        @Override
        public void began(long step, long all) {
            begun = step;
        }

        @Override
        public void stepped(TrainingStep step) {
            steps.add(step);
        }

        @Override
        public void evaluated(Evaluation evaluation) {
            evaluations.add(evaluation);
        }

        @Override
        public void saved(SavedCheckpoint checkpoint) {
            saved.add(checkpoint);
        }

        @Override
        public void ended(TrainingSummary end) {
            summary = end;
        }

        private List<Double> losses() {
            return steps.stream().map(TrainingStep::loss).toList();
        }
    }

    private RemoteMachine machine() {
        return RemoteMachine.of(
                "mock", "A100", new MachineOptions().option("sources", "file:" + FIXTURES + ",file:" + folder));
    }

    private static CausalLM model(RemoteMachine machine, String name) {
        return CausalLM.load(machine.open("file:" + FIXTURES + "/" + name), null, 256);
    }

    private static JsonNode expected(String name) throws Exception {
        return JsonMapper.builder()
                .build()
                .readTree(Path.of(FIXTURES, name, "expected.json").toFile());
    }

    private static Trainer<TokenBatch> trainer(LanguageTask task, TrainerOptions options, Told told) {
        AdamW optimizer = new AdamW(task.module().parameters(), 1e-2);
        return new Trainer<>(task, optimizer, new FixtureData(), options)
                .schedule(new LambdaLR(optimizer, TrainerTest::rate))
                .listener(told);
    }

    private static TrainerOptions options() {
        return TrainerOptions.steps(STEPS).accumulation(2).clipNorm(0.5);
    }

    @ParameterizedTest
    @CsvSource({"peft_llama, llama, false", "peft_llama, llama, true", "peft_gpt2, gpt2, false"})
    void anAdapterIsTrainedAsByPeft(String name, String base, boolean recomputes) throws Exception {
        JsonNode expected = expected(name).get("training");
        Told told = new Told();
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, base)) {
            LoraAdapter adapter = PeftFiles.load(model, "file:" + FIXTURES + "/" + name);
            model.module().recomputesActivations(recomputes);
            TrainingSummary summary = trainer(LanguageTask.part(model, adapter, TOKENS), options(), told)
                    .run();
            assertEquals(STEPS, summary.steps());
            assertEquals(TrainingSummary.End.DONE, summary.end());
            assertClose(expected(name).get("trained_logits"), logits(machine, model, expected(name)));
        }
        for (int step = 0; step < STEPS; step++) {
            TrainingStep made = told.steps.get(step);
            assertEquals(step + 1, made.step());
            assertEquals(expected.get("losses").get(step).doubleValue(), made.loss(), 1e-4);
            assertEquals(expected.get("norms").get(step).doubleValue(), made.gradientNorm(), 1e-3);
            assertEquals(expected.get("rates").get(step).doubleValue(), made.learningRate(), 1e-9);
            assertEquals(2L * ROWS * TOKENS, made.size());
        }
        assertEquals(0, told.begun);
        assertEquals(STEPS, told.summary.steps());
    }

    private static float[] logits(RemoteMachine machine, CausalLM model, JsonNode expected) {
        long[] ids = expected.get("prompt")
                .valueStream()
                .mapToLong(JsonNode::longValue)
                .toArray();
        try (Tensor input = machine.tensor(ids, 1, ids.length);
                Tensor logits = model.logits(input)) {
            return logits.toFloatArray();
        }
    }

    private static void assertClose(JsonNode expected, float[] got) {
        int place = 0;
        for (JsonNode row : expected) {
            for (JsonNode value : row) {
                assertEquals(value.doubleValue(), got[place++], 1e-3);
            }
        }
    }

    /** An adapter with dropout, so that the random stream counts, and moments that the first steps do not have. */
    private Trainer<TokenBatch> dropping(RemoteMachine machine, CausalLM model, TrainerOptions options, Told told) {
        machine.manualSeed(5);
        LoraAdapter adapter = LoraAdapter.on(model.module(), LoraConfig.rank(4).dropout(0.2));
        return trainer(LanguageTask.part(model, adapter, TOKENS), options, told)
                .evaluation(List.of(FixtureData.batch(100, 0), FixtureData.batch(101, 1)));
    }

    @ParameterizedTest
    @EnumSource(ComputePrecision.class)
    void aRunThatWasStoppedGoesOnToTheSameBitsOnAnotherMachine(ComputePrecision precision) {
        Told whole = new Told();
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            dropping(machine, model, options().precision(precision).evaluateEvery(2), whole)
                    .run();
        }
        Told first = new Told();
        String place = "file:" + folder.resolve("run");
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            Trainer<TokenBatch> trainer = dropping(
                            machine, model, options().precision(precision).evaluateEvery(2), first)
                    .checkpoints(new Checkpoints(machine, place, 2));
            trainer.listener(new TrainingListener() {
                @Override
                public void stepped(TrainingStep step) {
                    if (step.step() == 3) {
                        trainer.stop();
                    }
                }
            });
            assertEquals(0, trainer.resume());
            TrainingSummary summary = trainer.run();
            assertEquals(TrainingSummary.End.STOPPED, summary.end());
            assertEquals(1, first.saved.size());
            assertEquals(summary.steps(), first.saved.getFirst().step());
        }
        Told second = new Told();
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            Trainer<TokenBatch> trainer = dropping(
                            machine, model, options().precision(precision).evaluateEvery(2), second)
                    .checkpoints(new Checkpoints(machine, place, 2));
            assertEquals(first.summary.steps(), trainer.resume());
            trainer.run();
        }
        List<Double> joined = new ArrayList<>(first.losses());
        joined.addAll(second.losses());
        assertEquals(whole.losses(), joined);
        List<Double> evaluations = new ArrayList<>();
        first.evaluations.forEach(one -> evaluations.add(one.loss()));
        second.evaluations.forEach(one -> evaluations.add(one.loss()));
        assertEquals(whole.evaluations.stream().map(Evaluation::loss).toList(), evaluations);
        assertEquals(whole.summary.bestLoss(), second.summary.bestLoss());
    }

    @Test
    void theNewestAndTheBestCheckpointsAreKept() {
        Told told = new Told();
        String place = "file:" + folder.resolve("kept");
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            LoraAdapter adapter = LoraAdapter.on(model.module(), LoraConfig.rank(4));
            LanguageTask task = LanguageTask.part(model, adapter, TOKENS);
            // Ever larger steps: an early evaluation is the best.
            AdamW optimizer = new AdamW(adapter.parameters(), 0.3);
            Trainer<TokenBatch> trainer = new Trainer<>(
                            task,
                            optimizer,
                            new FixtureData(),
                            TrainerOptions.steps(6).evaluateEvery(1).checkpointEvery(1))
                    .schedule(new LambdaLR(optimizer, step -> step * step))
                    .evaluation(List.of(FixtureData.batch(100, 0)))
                    .checkpoints(new Checkpoints(machine, place, 2))
                    .listener(told);
            trainer.run();
            assertEquals(6, told.saved.size());
            assertTrue(told.summary.bestStep() < 4, () -> "" + told.evaluations);
            assertEquals(List.of(told.summary.bestStep(), 5L, 6L), new Checkpoints(machine, place, 2).steps());
            assertTrue(told.saved.stream()
                    .allMatch(one -> one.bytes() > 0 && !one.pause().isNegative()));
        }
    }

    @Test
    void trainingGoesOnWhereAnOldCheckpointIsGoneAlready() {
        Told told = new Told();
        String place = "file:" + folder.resolve("gone");
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            Trainer<TokenBatch> trainer = dropping(machine, model, options().checkpointEvery(2), told)
                    .checkpoints(new Checkpoints(machine, place, 1));
            trainer.listener(new TrainingListener() {
                @Override
                public void saved(SavedCheckpoint checkpoint) {
                    if (checkpoint.step() == 2) {
                        machine.deleteCheckpoint(checkpoint.uri());
                    }
                }
            });
            assertEquals(TrainingSummary.End.DONE, trainer.run().end());
            assertEquals(List.of(8L), new Checkpoints(machine, place, 1).steps());
        }
    }

    /** The file that makes a checkpoint whole is written last, and training does not resume from one without it. */
    @Test
    void aHalfWrittenCheckpointIsNotResumedFrom() throws Exception {
        Told told = new Told();
        String place = "file:" + folder.resolve("half");
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            dropping(machine, model, options().checkpointEvery(4), told)
                    .checkpoints(new Checkpoints(machine, place, 3))
                    .run();
        }
        assertEquals(2, told.saved.size());
        Files.delete(folder.resolve("half/step-00000008/model.safetensors"));
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            Trainer<TokenBatch> trainer =
                    dropping(machine, model, options(), new Told()).checkpoints(new Checkpoints(machine, place, 3));
            assertEquals(4, trainer.resume());
            assertFalse(Files.exists(folder.resolve("half/step-00000008")));
            LoraAdapter other =
                    LoraAdapter.on(model.module(), LoraConfig.rank(4).targets("q_proj"));
            Trainer<TokenBatch> different = trainer(LanguageTask.part(model, other, TOKENS), options(), new Told())
                    .checkpoints(new Checkpoints(machine, place, 3));
            assertRefused("is a checkpoint of another model; it lacks nothing, and has", different::resume);
        }
    }

    @Test
    void trainingEndsWhenEvaluationsBecomeNoBetter() {
        Told told = new Told();
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            LoraAdapter adapter = LoraAdapter.on(model.module(), LoraConfig.rank(4));
            AdamW optimizer = new AdamW(adapter.parameters(), 0);
            TrainingSummary summary = new Trainer<>(
                            LanguageTask.part(model, adapter, TOKENS),
                            optimizer,
                            new FixtureData(),
                            TrainerOptions.steps(50).evaluateEvery(2).patience(3))
                    .evaluation(List.of(FixtureData.batch(0, 0)))
                    .listener(told)
                    .run();
            assertEquals(TrainingSummary.End.NO_IMPROVEMENT, summary.end());
            assertEquals(8, summary.steps());
            assertEquals(2, summary.bestStep());
            assertEquals(4, told.evaluations.size());
        }
    }

    @Test
    void aModelIsTrainedWholeAndSavedAsTransformersWouldReadIt() {
        Told told = new Told();
        String saved = "file:" + folder.resolve("whole");
        try (RemoteMachine machine = machine();
                CausalLM model = CausalLM.load(machine.open("file:" + FIXTURES + "/llama"), DType.FLOAT32, 256)) {
            trainer(LanguageTask.whole(model, TOKENS), options(), told).run();
            assertTrue(told.losses().getLast() < told.losses().getFirst() - 0.3, () -> "" + told.losses());
            model.save(saved);
            long[] ids = {1, 2, 3};
            float[] trained = model.logits(machine.tensor(ids, 1, 3)).toFloatArray();
            try (CausalLM again = CausalLM.load(machine, saved)) {
                assertArrayEquals(
                        trained, again.logits(machine.tensor(ids, 1, 3)).toFloatArray());
                assertEquals(
                        machine.open("file:" + FIXTURES + "/llama").tensors().keySet(),
                        again.source().tensors().keySet());
            }
        }
    }

    @Test
    void aLossThatIsNotFiniteEndsTrainingWithAReason() {
        try (RemoteMachine machine = machine();
                CausalLM model = model(machine, "llama")) {
            LoraAdapter adapter = LoraAdapter.on(model.module(), LoraConfig.rank(4));
            AdamW optimizer = new AdamW(adapter.parameters(), 1e30);
            Trainer<TokenBatch> trainer = new Trainer<>(
                    LanguageTask.part(model, adapter, TOKENS), optimizer, new FixtureData(), TrainerOptions.steps(50));
            assertRefused("a lower learning rate, clipping or a warm-up may help", trainer::run);
            assertRefused("steps: expected at least 1, got 0", () -> TrainerOptions.steps(0));
            assertRefused("at least 1 must be kept, got 0", () -> new Checkpoints(machine, "file:/x", 0));
        }
    }

    private static void assertRefused(String part, Executable call) {
        String message = assertThrows(OutpostException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }
}
