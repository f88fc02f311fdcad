package dev.outpost.cli.models;

import dev.outpost.models.ChatMessage;
import dev.outpost.models.Generation;
import dev.outpost.models.TextStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Answers each line of input with a model, until the end of the input or an empty line. */
final class ChatLoop {
    private final Function<List<ChatMessage>, TextStream> model;
    private final PrintWriter out;
    private final List<ChatMessage> messages = new ArrayList<>();

    /**
     * @param model answers a conversation
     * @param system the first message; null for none
     */
    ChatLoop(Function<List<ChatMessage>, TextStream> model, String system, PrintWriter out) {
        this.model = model;
        this.out = out;
        if (system != null) {
            messages.add(ChatMessage.system(system));
        }
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
        try (TextStream stream = model.apply(messages)) {
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
