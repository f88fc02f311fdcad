package dev.outpost.examples.models;

import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.optim.AdamW;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Trains a Llama-shaped language model on the bytes of this repository, lets the machine save it to an object store in
 * Hugging Face's layout, loads it onto a new machine, and generates. Arguments: training steps (150; a few thousand for text
 * that resembles a programming language), the repository's folder, the prompt.
 */
public final class TrainAndServe {
    private static final int STEPS = 150;
    private static final int BATCH = 8;
    private static final int LENGTH = 128;
    private static final double LEARNING_RATE = 2e-3;
    private static final int TOLD_EVERY = 25;
    private static final int MAX_TEXT = 32 << 20;
    private static final String PLACE = "s3://models/bytes";

    private static final String CONFIG = """
        {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": %d, "eos_token_id": %d,
         "hidden_size": %d, "intermediate_size": %d, "num_hidden_layers": %d, "num_attention_heads": 4,
         "num_key_value_heads": 4, "max_position_embeddings": 512, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
         "hidden_act": "silu", "tie_word_embeddings": true}
        """;

    /** The size of the model. */
    record Size(int hidden, int inner, int layers) {
        /** 3.2 million parameters. */
        static final Size MILLIONS = new Size(256, 688, 4);

        /** A model with a hundred thousand parameters. */
        static final Size TINY = new Size(64, 172, 2);

        private String config() {
            return CONFIG.formatted(ByteText.VOCABULARY, ByteText.END, hidden, inner, layers);
        }
    }

    private final Consumer<String> out;
    private final String config;

    TrainAndServe(Consumer<String> out, Size size) {
        this.out = out;
        this.config = size.config();
    }

    public static void main(String[] arguments) throws Exception {
        int steps = arguments.length > 0 ? Integer.parseInt(arguments[0]) : STEPS;
        Path root = Path.of(arguments.length > 1 ? arguments[1] : ".");
        String prompt = arguments.length > 2 ? arguments[2] : "/** The ";
        new TrainAndServe(System.out::println, Size.MILLIONS).run(steps, root, prompt, 300);
    }

    /** Returns the generated text. */
    String run(int steps, Path root, String prompt, int tokens) throws Exception {
        Path folder = Files.createTempDirectory("outpost-example");
        try (LocalStore store = LocalStore.start(folder, "models")) {
            byte[] text = ByteText.read(root, MAX_TEXT);
            out.accept(text.length + " bytes of text");
            try (RemoteMachine machine = machine()) {
                train(machine, text, steps);
            }
            try (RemoteMachine another = machine();
                    CausalLM model = CausalLM.load(another, PLACE)) {
                Sampling sampling = Sampling.temperature(0.7).topP(0.9).seed(1).maxTokens(tokens);
                try (TextStream stream = model.generate(prompt, sampling)) {
                    String message = prompt + stream.toEnd();
                    out.accept("\n" + message);
                    return message;
                }
            }
        } finally {
            delete(folder);
        }
    }

    /** Returns a machine in this JVM. With {@code "k8s", "L4"} it would be a GPU in a cluster, without further changes. */
    private static RemoteMachine machine() {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "s3://models"));
    }

    private void train(RemoteMachine machine, byte[] text, int steps) {
        Decoder model = Decoder.of(ModelConfig.parse("the example", config));
        model.parameters().stream()
                .filter(parameter -> parameter.shape().rank() > 1)
                .forEach(matrix -> matrix.initialize(Init.normal(0, 0.02)));
        model.to(machine);
        model.prepare(machine, LENGTH);
        AdamW optimizer = new AdamW(model.parameters(), LEARNING_RATE);
        // The step is traced once; each call sends only the tokens.
        Program step = machine.program(inputs -> {
            Tensor scores = model.forward(inputs.get(0));
            Tensor loss = Functional.crossEntropy(
                    scores.reshape(-1, ByteText.VOCABULARY), inputs.get(1).reshape(-1));
            optimizer.zeroGrad();
            loss.backward();
            optimizer.step();
            return List.of(loss);
        });
        SplittableRandom random = new SplittableRandom(7);
        for (int number = 1; number <= steps; number++) {
            try (Scope scope = machine.scope()) {
                Tensor loss = step.call(tokens(machine, text, random)).getFirst();
                if (number % TOLD_EVERY == 0 || number == 1) {
                    out.accept("step %4d: %.3f nats a byte".formatted(number, loss.itemDouble()));
                }
            }
        }
        step.close();
        Map<String, Tensor> weights = new LinkedHashMap<>();
        model.namedParameters().forEach((name, parameter) -> weights.put(name, parameter.tensor()));
        Map<String, String> files = Map.of("config.json", config, "tokenizer.json", ByteText.tokenizer());
        long saved = machine.save(PLACE, weights, files, 4L << 20);
        out.accept(saved + " bytes saved to " + PLACE + " by the machine; the program sent "
                + machine.stats().bytesOut());
    }

    /** Returns pieces of the text, and the same pieces one byte further on: the byte to predict after each byte. */
    private static Tensor[] tokens(RemoteMachine machine, byte[] text, SplittableRandom random) {
        long[] inputs = new long[BATCH * LENGTH];
        long[] targets = new long[BATCH * LENGTH];
        for (int row = 0; row < BATCH; row++) {
            int from = random.nextInt(text.length - LENGTH);
            for (int place = 0; place < LENGTH; place++) {
                inputs[row * LENGTH + place] = text[from + place] & 0xFF;
                targets[row * LENGTH + place] = text[from + place + 1] & 0xFF;
            }
        }
        return new Tensor[] {machine.tensor(inputs, BATCH, LENGTH), machine.tensor(targets, BATCH, LENGTH)};
    }

    private static void delete(Path folder) throws Exception {
        try (var files = Files.walk(folder)) {
            for (Path file :
                    files.sorted((left, right) -> right.compareTo(left)).toList()) {
                Files.delete(file);
            }
        }
    }
}
