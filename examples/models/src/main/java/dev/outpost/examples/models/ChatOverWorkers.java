package dev.outpost.examples.models;

import dev.outpost.models.*;
import dev.outpost.models.lan.*;
import dev.outpost.models.pipeline.*;
import dev.outpost.provider.lan.*;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds a conversation with a model that is too large for one computer. Each worker of the local network has some layers of it. Each line of the
 * input is a message, and an empty line ends the conversation. Arguments: the model, the number of workers.
 *
 * <p>On each other computer, start a worker that may read the model: {@code OUTPOST_RUNTIME_SOURCES=hf://HuggingFaceTB ./outpost runtime
 * --announce}. On this one, pair with each: {@code ./outpost workers pair NAME}.
 */
public final class ChatOverWorkers {
    private ChatOverWorkers() {}

    public static void main(String[] args) throws IOException {
        String uri = args.length > 0 ? args[0] : "hf://HuggingFaceTB/SmolLM2-135M-Instruct";
        DecoderPipelineOptions options = new DecoderPipelineOptions();
        if (args.length > 1) {
            options = options.stages(Integer.parseInt(args[1]));
        }
        try (Workers workers = Workers.discover(Duration.ofSeconds(3));
                LanModel llm = LanModel.load(workers, uri, options)) {
            llm.plan().forEach(System.out::println);
            chat(llm);
        }
    }

    private static void chat(LanModel llm) throws IOException {
        Sampling sampling = Sampling.temperature(0.7).topP(0.9).seed(1).maxTokens(200);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        List<ChatMessage> messages = new ArrayList<>();
        System.out.print("> ");
        for (String line = input.readLine(); line != null && !line.isBlank(); line = input.readLine()) {
            messages.add(ChatMessage.user(line));
            StringBuilder answer = new StringBuilder();
            try (TextStream stream = llm.chat(messages, sampling)) {
                // The pieces arrive one by one, while the workers compute the next ones.
                while (stream.hasNext()) {
                    String piece = stream.next();
                    System.out.print(piece);
                    answer.append(piece);
                }
            }
            // The next answer depends on the whole conversation.
            messages.add(ChatMessage.assistant(answer.toString()));
            System.out.print("\n> ");
        }
    }
}
