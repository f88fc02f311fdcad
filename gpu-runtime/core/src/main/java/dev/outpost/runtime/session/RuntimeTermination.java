package dev.outpost.runtime.session;

import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.runtime.session.context.Faults;
import dev.outpost.types.FaultKind;
import java.util.Locale;
import java.util.Objects;

/**
 * Why a runtime ends.
 *
 * @param kind what it means for those who used it
 * @param sentence what happened, for a person
 */
public record RuntimeTermination(Kind kind, String sentence) {
    /** The words that an end begins with where it is written down, in lower case. */
    public enum Kind {
        /** It was not used for as long as had been agreed. */
        IDLE,

        /** Nothing was heard of any client for as long as had been agreed. */
        UNUSED,

        /** The life that it was given is over. */
        EXPIRED,

        /** Somebody told it to stop. */
        DRAINED,

        /** It could not begin, or not go on. */
        FAILED
    }

    /** As by SIGTERM. */
    public static final RuntimeTermination DRAINED = new RuntimeTermination(Kind.DRAINED, "it was told to stop");

    public RuntimeTermination {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(sentence, "sentence");
    }

    public static RuntimeTermination failed(String sentence) {
        return new RuntimeTermination(Kind.FAILED, sentence);
    }

    /** For whoever finds out why the process is gone: one line, such as {@code idle: no instruction came for 10 min}. */
    public String line() {
        return kind.name().toLowerCase(Locale.ROOT) + ": "
                + Faults.brief(sentence).replaceAll("\\s+", " ").strip();
    }

    /** The message to clients. */
    End farewell() {
        String news = kind == Kind.DRAINED ? "the machine is shutting down" : sentence;
        return ConnectionMessages.end(FaultMessages.of(FaultKind.EXTERNAL, news), cause());
    }

    private End.Cause cause() {
        return kind == Kind.IDLE ? End.Cause.IDLE : End.Cause.FAILED;
    }
}
