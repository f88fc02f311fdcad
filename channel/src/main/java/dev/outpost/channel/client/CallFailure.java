package dev.outpost.channel.client;

import dev.outpost.channel.AccessRefusedException;
import dev.outpost.channel.CertificateFailure;
import dev.outpost.protocol.message.PeerText;
import io.grpc.Status;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Interprets the end of a call: a text for a person, and whether a retry may succeed. */
final class CallFailure {
    private static final int MAX_OF_A_TEXT = 4096;

    /** The part of a description that gRPC adds for its own developers: the names of Netty's handlers. */
    private static final Pattern PIPELINE = Pattern.compile("\\s*Channel Pipeline: \\[[^\\]]*]");

    /**
     * The parts that Netty adds to an error of the operating system: the failed call and its number before it, the address after it.
     */
    private static final Pattern SYSTEM_CALL =
            Pattern.compile("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: (.*?)(?:: \\S*/\\S*:\\d+)?$");

    private CallFailure() {}

    static IOException of(String endpoint, Status status) {
        String sentence = sentence(endpoint, status);
        return isFinal(status)
                ? new AccessRefusedException(sentence, status.getCause())
                : new IOException(sentence, status.getCause());
    }

    static String sentence(String endpoint, Status status) {
        Optional<String> untrusted = CertificateFailure.in(status.getCause());
        if (untrusted.isPresent()) {
            return endpoint + " is not the machine that was asked for: " + untrusted.get();
        }
        if (isWithoutTls(status)) {
            return endpoint + " does not speak TLS, as a machine does";
        }
        return switch (status.getCode()) {
            case OK -> endpoint + " hung up";
            case UNIMPLEMENTED -> endpoint + " is no Outpost runtime, or one of another version";
            case UNAVAILABLE -> endpoint + " cannot be reached: " + text(status);
            default -> endpoint + ": " + text(status);
        };
    }

    /** Returns true if a retry is useless. A network failure is not final, even in the middle of a handshake. */
    private static boolean isFinal(Status status) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED, INVALID_ARGUMENT -> true;
            default ->
                isWithoutTls(status) || CertificateFailure.in(status.getCause()).isPresent();
        };
    }

    /** Returns the text of a failure: gRPC's message names the attempt, and its cause names the problem. */
    private static String text(Status status) {
        return PeerText.clean(said(status), MAX_OF_A_TEXT);
    }

    private static String said(Status status) {
        Throwable cause = status.getCause();
        if (cause instanceof ClosedChannelException) {
            return "the connection was closed before the machine had answered";
        }
        if (cause != null && cause.getMessage() != null) {
            return SYSTEM_CALL.matcher(cause.getMessage()).replaceFirst("$1");
        }
        String tried = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        return PIPELINE.matcher(tried).replaceAll("");
    }

    private static boolean isWithoutTls(Status status) {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof NotSslRecordException) {
                return true;
            }
        }
        return false;
    }
}
