package dev.outpost.examples.models;

import dev.outpost.*;
import dev.outpost.models.*;
import dev.outpost.source.*;
import dev.outpost.stats.*;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads a chat model of the Hugging Face hub and asks it a question. The machine downloads the weights, and keeps the files for the next
 * run. Arguments: the model, a question. {@code HF_TOKEN} and {@code HF_ENDPOINT} are those of the hub's own client.
 */
public final class ModelFromHub {
    private ModelFromHub() {}

    public static void main(String[] args) {
        String uri = args.length > 0 ? args[0] : "hf://HuggingFaceTB/SmolLM2-135M-Instruct";
        String question = args.length > 1 ? args[1] : "What is the capital of France?";
        Path cache = Path.of(System.getProperty("user.home"), ".cache", "outpost", "hub");
        // A machine opens only the sources that its options name.
        MachineOptions options = new MachineOptions().option("sources", uri).option("sources-cache", cache.toString());
        try (RemoteMachine machine = RemoteMachine.open(options)) {
            Source source = machine.open(uri);
            System.out.println(source.uri() + " has " + source.tensors().size() + " tensors in "
                    + source.files().size() + " files");
            try (CausalLM llm = CausalLM.load(machine, uri)) {
                LoadStats loaded = llm.source().progress();
                System.out.printf(
                        "the machine read %d bytes; this program received %d%n",
                        loaded.bytes(), machine.stats().bytesIn());

                // The same words each time: the most likely token follows.
                String text = llm.generate("Once upon a time", Sampling.greedy().maxTokens(20))
                        .toEnd();
                System.out.println("Once upon a time" + text);
                if (llm.hasChatTemplate()) {
                    Sampling sampling =
                            Sampling.temperature(0.7).topP(0.9).seed(1).maxTokens(60);
                    System.out.println("question: " + question);
                    System.out.print("answer: ");
                    llm.chat(List.of(ChatMessage.user(question)), sampling).forEachRemaining(System.out::print);
                    System.out.println();
                }
            }
        }
    }
}
