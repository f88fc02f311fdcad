package dev.outpost.runtime.session;

import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.runtime.session.context.Faults;
import dev.outpost.types.FaultKind;
import java.util.Locale;
import java.util.Objects;

/**
 * The reason why a runtime ends.
 *
 * @param kind the kind of the end
 * @param sentence the reason, as a sentence for a person
 */
public record RuntimeTermination(Kind kind, String sentence) {
    /** The kinds of ends. The name in lower case begins {@link RuntimeTermination#line}. */
    public enum Kind {
        /** No instruction arrived for the configured time. */
        IDLE,

        /** No client sent a frame for the configured time. */
        UNUSED,

        /** The fixed lifetime of the runtime is over. */
        EXPIRED,

        /** The runtime was stopped. */
        DRAINED,

        /** The runtime could not start, or could not continue. */
        FAILED
    }

    /** The reason of a runtime that was stopped, for example by SIGTERM. */
    public static final RuntimeTermination DRAINED = new RuntimeTermination(Kind.DRAINED, "it was told to stop");

    public RuntimeTermination {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(sentence, "sentence");
    }

    public static RuntimeTermination failed(String sentence) {
        return new RuntimeTermination(Kind.FAILED, sentence);
    }

    /**
     * Returns one line that explains why the process has ended, such as {@code idle: no instruction arrived for 10 min}.
     */
    public String line() {
        return kind.name().toLowerCase(Locale.ROOT) + ": "
                + Faults.brief(sentence).replaceAll("\\s+", " ").strip();
    }

    /** Returns the message to clients. */
    End farewell() {
        String news = kind == Kind.DRAINED ? "the machine is shutting down" : sentence;
        return ConnectionMessages.end(FaultMessages.of(FaultKind.EXTERNAL, news), cause());
    }

    private End.Cause cause() {
        return kind == Kind.IDLE ? End.Cause.IDLE : End.Cause.FAILED;
    }
}
