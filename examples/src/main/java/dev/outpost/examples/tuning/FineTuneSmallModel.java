package dev.outpost.examples.tuning;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Sampling;
import dev.outpost.models.lora.LoraAdapter;
import dev.outpost.models.lora.LoraConfig;
import dev.outpost.models.training.Checkpoints;
import dev.outpost.models.training.LanguageTask;
import dev.outpost.models.training.SavedCheckpoint;
import dev.outpost.models.training.Trainer;
import dev.outpost.models.training.TrainerOptions;
import dev.outpost.models.training.TrainingListener;
import dev.outpost.models.training.TrainingStep;
import dev.outpost.models.training.data.DataFile;
import dev.outpost.models.training.data.TextData;
import dev.outpost.models.training.data.TextFormat;
import dev.outpost.models.training.data.TokenBatch;
import dev.outpost.models.training.metrics.TrainingMetrics;
import dev.outpost.nn.Module;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.LambdaLR;
import dev.outpost.types.DType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Creates a small Llama over bytes, and trains it to repeat a word after {@code >} and to write it in capitals after {@code
 * ^}. Then teaches it by LoRA to write capitals after {@code >}. Prints how many of 100 unseen words are right after {@code
 * >}, before and after. Further arguments: the steps of both trainings, and a folder for checkpoints and losses of the second
 * training, which a later run resumes.
 */
public final class FineTuneSmallModel {
    private static final int WORD = 5;
    private static final int ROWS = 16;
    private static final int TOKENS = 48;
    private static final int TESTED = 100;
    private static final String CONFIG = """
            {"model_type": "llama", "vocab_size": %d, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
             "num_attention_heads": 4, "max_position_embeddings": 256, "rms_norm_eps": 1e-5, "hidden_act": "silu",
             "tie_word_embeddings": true, "eos_token_id": 0}
            """.formatted(ByteVocabulary.SIZE);

    /**
     * The number of correct words in each task.
     *
     * @param repeated correct words in the task of repeating
     * @param capitals correct words in the task of writing capitals
     */
    public record Score(int repeated, int capitals) {}

    /**
     * The scores of the model at four times.
     *
     * @param made the score with random weights
     * @param trained the score after the training of the whole model
     * @param adapted the score with the adapter
     * @param takenOff the score after the adapter was detached
     */
    public record Scores(Score made, Score trained, Score adapted, Score takenOff) {}

    private final CausalLM model;

    private final Optional<Path> kept;

    private FineTuneSmallModel(CausalLM model, Optional<Path> kept) {
        this.model = model;
        this.kept = kept;
    }

    public static void main(String[] args) throws IOException {
        int trained = args.length > 2 ? Integer.parseInt(args[2]) : 400;
        int tuned = args.length > 3 ? Integer.parseInt(args[3]) : 150;
        Path folder = Files.createTempDirectory("outpost-small-model");
        Optional<Path> kept = args.length > 4 ? Optional.of(Path.of(args[4]).toAbsolutePath()) : Optional.empty();
        String sources = "file:" + folder + kept.map(place -> ",file:" + place).orElse("");
        MachineOptions options = new MachineOptions().option("sources", sources);
        try (RemoteMachine machine = args.length == 0
                ? RemoteMachine.open(options)
                : RemoteMachine.of(args[0], args.length > 1 ? args[1] : "any", options)) {
            Scores scores = run(machine, "file:" + folder + "/model", trained, tuned, kept);
            System.out.printf("%-32s %9s %9s%n", "of 100 words, right are", "repeated", "capitals");
            print("as it was made", scores.made);
            print("trained", scores.trained);
            print("with the adapter", scores.adapted);
            print("with the adapter taken off", scores.takenOff);
        }
    }

    private static void print(String what, Score score) {
        System.out.printf("%-32s %9d %9d%n", what, score.repeated, score.capitals);
    }

    /** @param uri the location of the created model; the machine must be allowed to write there */
    public static Scores run(RemoteMachine machine, String uri, int trainedSteps, int tunedSteps) {
        return run(machine, uri, trainedSteps, tunedSteps, Optional.empty());
    }

    private static Scores run(
            RemoteMachine machine, String uri, int trainedSteps, int tunedSteps, Optional<Path> kept) {
        machine.manualSeed(1);
        CausalLM.create(machine, uri, Map.of("config.json", CONFIG, "tokenizer.json", ByteVocabulary.json()));
        try (CausalLM model = CausalLM.load(machine.open(uri), DType.FLOAT32, 2048)) {
            return new FineTuneSmallModel(model, kept).run(trainedSteps, tunedSteps);
        }
    }

    private Scores run(int trainedSteps, int tunedSteps) {
        Score made = score();
        LanguageTask whole = LanguageTask.whole(model, TOKENS);
        String both = lines('>', word -> word) + "\n" + lines('^', FineTuneSmallModel::capitals);
        train("both", whole, whole.module(), both, trainedSteps, 3e-3, Optional.empty());
        Score trained = score();
        LoraAdapter adapter = LoraAdapter.on(model.module(), LoraConfig.rank(4));
        LanguageTask part = LanguageTask.part(model, adapter, TOKENS);
        train("capitals", part, adapter, lines('>', FineTuneSmallModel::capitals), tunedSteps, 5e-3, kept);
        Score adapted = score();
        adapter.enabled(false);
        return new Scores(made, trained, adapted, score());
    }

    private void train(
            String name,
            LanguageTask task,
            Module trained,
            String lines,
            int steps,
            double learningRate,
            Optional<Path> place) {
        DataFile file = DataFile.of(name, lines.getBytes(StandardCharsets.UTF_8));
        TextData data = new TextData(
                List.of(file), TextFormat.json(model), new TextData.Shape(ROWS, TOKENS, true), OptionalLong.of(2));
        AdamW optimizer = new AdamW(trained.parameters(), learningRate);
        Trainer<TokenBatch> trainer = new Trainer<TokenBatch>(
                        task,
                        optimizer,
                        data,
                        TrainerOptions.steps(steps).clipNorm(1).checkpointEvery(place.isPresent() ? 10 : 0))
                .schedule(new LambdaLR(optimizer, step -> Math.min(1, (step + 1) / 50.0) * (1 - (double) step / steps)))
                .listener(new TrainingListener() {
                    @Override
                    public void stepped(TrainingStep step) {
                        if (step.step() % 100 == 0 || step.step() == steps) {
                            System.out.printf(
                                    "%s, step %d: loss %.4f, %,.0f tokens/s%n",
                                    name, step.step(), step.loss(), step.rate());
                        }
                    }

                    @Override
                    public void saved(SavedCheckpoint checkpoint) {
                        System.out.println("checkpoint after step " + checkpoint.step());
                    }
                });
        place.ifPresentOrElse(folder -> resume(trainer, folder), trainer::run);
    }

    private void resume(Trainer<TokenBatch> trainer, Path folder) {
        try (TrainingMetrics metrics = new TrainingMetrics(folder.resolve("losses"))) {
            trainer.checkpoints(new Checkpoints(model.machine(), "file:" + folder.resolve("checkpoints"), 2))
                    .listener(metrics);
            trainer.resume();
            trainer.run();
        }
    }

    private static String lines(char sign, UnaryOperator<String> answer) {
        Random random = new Random(3);
        return IntStream.range(0, 10_000)
                .mapToObj(number -> word(random))
                .map(word -> "{\"prompt\": \"%s%s\", \"completion\": \"%s\"}".formatted(word, sign, answer.apply(word)))
                .collect(Collectors.joining("\n"));
    }

    private static String word(Random random) {
        return random.ints(WORD, 'a', 'z' + 1)
                .mapToObj(letter -> "" + (char) letter)
                .collect(Collectors.joining());
    }

    private static String capitals(String word) {
        return word.toUpperCase(java.util.Locale.ROOT);
    }

    /** Scores words from another seed. There are 26⁵ words, so almost none of them was in the training. */
    private Score score() {
        Random random = new Random(4);
        List<String> words =
                IntStream.range(0, TESTED).mapToObj(number -> word(random)).toList();
        List<int[]> prompts =
                words.stream().map(word -> model.tokenizer().encode(word + ">")).toList();
        int repeated = 0;
        int capitals = 0;
        List<int[]> answers =
                model.generate(prompts, Sampling.greedy().maxTokens(WORD + 1)).toEnd();
        for (int number = 0; number < TESTED; number++) {
            String text = model.tokenizer().decode(answers.get(number));
            repeated += text.equals(words.get(number)) ? 1 : 0;
            capitals += text.equals(capitals(words.get(number))) ? 1 : 0;
        }
        return new Score(repeated, capitals);
    }
}
