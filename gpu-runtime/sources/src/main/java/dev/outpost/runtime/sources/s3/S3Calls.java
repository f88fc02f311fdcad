package dev.outpost.runtime.sources.s3;

import dev.outpost.channel.Backoff;
import dev.outpost.channel.http.StalledException;
import io.netty.handler.timeout.ReadTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Waits for calls to S3, and describes their failures in sentences. The SDK's messages may contain request headers,
 * so only the status and the code are reported.
 */
final class S3Calls {
    private static final int ATTEMPTS = 5;
    /** The number of attempts after which a stall fails the call. The SDK makes two requests in each attempt. */
    private static final int ATTEMPTS_THAT_STALL = 2;

    /** The pauses between attempts. */
    static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(100), Duration.ofSeconds(2));

    private S3Calls() {}

    /** Waits for a call. Repeats it after a failure that may be transient. */
    static <T> T await(String what, Supplier<CompletableFuture<T>> call) throws IOException {
        Backoff.Pauses pauses = BACKOFF.begin();
        for (int attempt = 1, stalls = 0; ; attempt++) {
            CompletableFuture<T> coming = null;
            try {
                coming = call.get();
                return coming.get();
            } catch (ExecutionException failure) {
                stalls += isStall(failure.getCause()) ? 1 : 0;
                if (attempt == ATTEMPTS || stalls == ATTEMPTS_THAT_STALL || !mayHelpToAskAgain(failure.getCause())) {
                    throw describe(what, failure.getCause(), attempt);
                }
                sleep(pauses);
            } catch (SdkException failure) {
                throw describe(what, failure, attempt);
            } catch (InterruptedException interrupted) {
                coming.cancel(true);
                Thread.currentThread().interrupt();
                throw new IOException(what + ": interrupted", interrupted);
            }
        }
    }

    static void sleep(Backoff.Pauses pauses) throws IOException {
        try {
            pauses.sleep();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** True if the store stalled while it sent an answer or received a request. */
    private static boolean isStall(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof StalledException || cause instanceof ReadTimeoutException) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayHelpToAskAgain(Throwable problem) {
        return !(problem instanceof S3Exception refused) || refused.statusCode() >= 500 || refused.statusCode() == 429;
    }

    private static IOException describe(String what, Throwable problem, int attempts) {
        String times = attempts == 1 ? "" : ", asked " + attempts + " times";
        if (problem instanceof S3Exception refused) {
            String code = refused.awsErrorDetails() == null
                    ? ""
                    : refused.awsErrorDetails().errorCode();
            return new StatusException(
                    what + ": the store answers " + refused.statusCode()
                            + (code == null || code.isBlank() ? "" : " " + code) + times,
                    refused.statusCode());
        }
        String reason = problem instanceof SdkException
                ? sentence(problem)
                : problem.getClass().getSimpleName();
        return new IOException(what + ": the store cannot be reached: " + reason + times);
    }

    /** Returns the innermost reason: a network failure or missing credentials. */
    private static String sentence(Throwable problem) {
        Throwable inner = problem;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String message = inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end);
        return line.length() > 200 ? line.substring(0, 200) + "..." : line;
    }

    /** Thrown if the store answered with an error status. */
    static final class StatusException extends IOException {
        private final int status;

        private StatusException(String message, int status) {
            super(message);
            this.status = status;
        }

        int status() {
            return status;
        }
    }
}
