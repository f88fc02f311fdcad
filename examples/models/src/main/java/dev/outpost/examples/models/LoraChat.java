package dev.outpost.examples.models;

import dev.outpost.*;
import dev.outpost.models.*;
import dev.outpost.models.lora.*;
import dev.outpost.models.training.*;
import dev.outpost.models.training.data.*;
import dev.outpost.optim.*;
import dev.outpost.types.*;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Fine-tunes a chat model by LoRA, so that it answers questions about capitals in JSON. The model's own weights do not change. Arguments:
 * the folder of a model such as SmolLM2-135M-Instruct, a new folder for the adapters, the number of steps.
 *
 * <p>{@code lora_chat.py} is the same program in PyTorch. It starts with the adapter that this program saves before its first step.
 */
public final class LoraChat {
    private static final int STEPS = 12;
    private static final int ROWS = 4;
    private static final int TOKENS = 80;
    private static final double LEARNING_RATE = 1e-3;
    private static final String QUESTION = "What is the capital of Norway?";

    private final CausalLM llm;
    private final String out;

    private LoraChat(CausalLM llm, String out) {
        this.llm = llm;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 2) {
            System.err.println("usage: LoraChat MODEL OUT [STEPS]; the folder MODEL has a chat model");
            System.exit(2);
        }
        Path model = Path.of(args[0]).toAbsolutePath();
        Path out = Files.createDirectories(Path.of(args[1]).toAbsolutePath());
        int steps = args.length > 2 ? Integer.parseInt(args[2]) : STEPS;
        // The machine reads and writes only these two folders.
        MachineOptions options = new MachineOptions().option("sources", "file:" + model + ",file:" + out);
        try (RemoteMachine machine = RemoteMachine.open(options);
                CausalLM llm = CausalLM.load(machine.open("file:" + model), DType.FLOAT32, 512)) {
            machine.manualSeed(0);
            new LoraChat(llm, "file:" + out).run(steps);
        }
    }

    private void run(int steps) throws IOException {
        LoraAdapter adapter = LoraAdapter.on(
                llm.module(), LoraConfig.rank(8).alpha(16).targets("q_proj", "k_proj", "v_proj", "o_proj"));
        PeftFiles.save(adapter, out + "/initial", llm.source().uri()).join();
        // A new adapter adds nothing, because one of its factors is zero.
        System.out.println("before: " + answer());
        long parameters = adapter.parameters().stream()
                .mapToLong(parameter -> parameter.tensor().numel())
                .sum();
        System.out.println(parameters + " parameters are trained");

        AdamW optimizer = new AdamW(adapter.parameters(), LEARNING_RATE).weightDecay(0);
        LanguageTask task = LanguageTask.part(llm, adapter, TOKENS);
        Trainer<TokenBatch> trainer = new Trainer<>(task, optimizer, data(), TrainerOptions.steps(steps));
        long start = System.nanoTime();
        trainer.listener(new TrainingListener() {
            @Override
            public void stepped(TrainingStep step) {
                System.out.printf("step %d: loss %.6f%n", step.step(), step.loss());
            }
        });
        trainer.run();
        System.out.printf("%d steps took %.1f s%n", steps, (System.nanoTime() - start) / 1e9);

        System.out.println("after: " + answer());
        PeftFiles.save(adapter, out + "/adapter", llm.source().uri()).join();
        System.out.println("without the adapter: " + withoutAdapter(adapter));
    }

    /** Each line of the file is a conversation. The model learns the last message, which is the assistant's. */
    private TextData data() throws IOException {
        try (InputStream file = LoraChat.class.getResourceAsStream("capitals.jsonl")) {
            List<DataFile> files = List.of(DataFile.of("capitals.jsonl", file.readAllBytes()));
            // Without packing, each row has one text. Without a seed, the lines keep their order.
            TextData.Shape shape = new TextData.Shape(ROWS, TOKENS, false);
            return new TextData(files, TextFormat.json(llm), shape, OptionalLong.empty());
        }
    }

    private String answer() {
        List<ChatMessage> messages = List.of(ChatMessage.user(QUESTION));
        try (TextStream stream = llm.chat(messages, Sampling.greedy().maxTokens(30))) {
            return stream.toEnd();
        }
    }

    private String withoutAdapter(LoraAdapter adapter) {
        adapter.enabled(false);
        return answer();
    }
}
