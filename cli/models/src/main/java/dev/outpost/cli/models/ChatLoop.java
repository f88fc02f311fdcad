package dev.outpost.cli.models;

import dev.outpost.models.CausalLM;
import dev.outpost.models.ChatMessage;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Answers each line of input with a model, until the end of the input or an empty line. */
final class ChatLoop {
    private final CausalLM model;
    private final Sampling sampling;
    private final PrintWriter out;
    private final List<ChatMessage> messages = new ArrayList<>();

    ChatLoop(CausalLM model, String system, Sampling sampling, PrintWriter out) {
        this.model = model;
        this.sampling = sampling;
        this.out = out;
        if (system != null) {
            messages.add(ChatMessage.system(system));
        }
        model.chatTemplate();
    }

    /** @param rates receives the rates of each message */
    void hold(BufferedReader in, Consumer<Generation.Rates> rates) {
        try {
            for (String line = ask(in); line != null && !line.isBlank(); line = ask(in)) {
                messages.add(ChatMessage.user(line));
                messages.add(ChatMessage.assistant(answer(rates)));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the input cannot be read", failure);
        }
    }

    private String ask(BufferedReader in) throws IOException {
        out.print("> ");
        out.flush();
        return in.readLine();
    }

    private String answer(Consumer<Generation.Rates> rates) {
        StringBuilder answer = new StringBuilder();
        try (TextStream stream = model.chat(messages, sampling)) {
            stream.forEachRemaining(piece -> {
                answer.append(piece);
                out.print(piece);
                out.flush();
            });
            out.println();
            out.flush();
            rates.accept(stream.rates());
        }
        return answer.toString();
    }
}
