package dev.outpost.channel.client;

import dev.outpost.channel.RefusedException;
import dev.outpost.protocol.message.PeerText;
import io.grpc.Status;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;

/** The meaning of a call's end for a person, and whether another attempt may end otherwise. */
final class Refusal {
    private static final int MOST_OF_A_TEXT = 4096;

    private Refusal() {}

    static IOException of(String endpoint, Status status) {
        String sentence = sentence(endpoint, status);
        return isFinal(status)
                ? new RefusedException(sentence, status.getCause())
                : new IOException(sentence, status.getCause());
    }

    static String sentence(String endpoint, Status status) {
        Optional<GeneralSecurityException> untrusted = cause(status, GeneralSecurityException.class);
        if (untrusted.isPresent()) {
            return endpoint + " is not the machine that was asked for: "
                    + untrusted.get().getMessage();
        }
        if (cause(status, NotSslRecordException.class).isPresent()) {
            return endpoint + " does not speak TLS, as a machine does";
        }
        return switch (status.getCode()) {
            case OK -> endpoint + " hung up";
            case UNIMPLEMENTED -> endpoint + " is no Outpost runtime, or one of another version";
            case UNAVAILABLE -> endpoint + " cannot be reached: " + text(status);
            default -> endpoint + ": " + text(status);
        };
    }

    /** A failure on the way, in the middle of a handshake even, may not occur the next time. */
    private static boolean isFinal(Status status) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED, INVALID_ARGUMENT -> true;
            default ->
                cause(status, NotSslRecordException.class).isPresent()
                        || cause(status, GeneralSecurityException.class).isPresent();
        };
    }

    /** gRPC says what it tried, its cause says what happened. */
    private static String text(Status status) {
        Throwable cause = status.getCause();
        String said = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        return PeerText.clean(cause == null || cause.getMessage() == null ? said : cause.getMessage(), MOST_OF_A_TEXT);
    }

    private static <T extends Throwable> Optional<T> cause(Status status, Class<T> kind) {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }
}
