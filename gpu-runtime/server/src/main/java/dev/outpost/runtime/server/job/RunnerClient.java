package dev.outpost.runtime.server.job;

import dev.outpost.channel.Backoff;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.RunnerApi;
import java.time.Duration;
import java.util.function.Function;

/**
 * Calls the control plane. Repeats a call while the control plane does not answer, so a run survives an outage of the
 * control plane. Prints the reason of the outage.
 */
final class RunnerClient {
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(200), Duration.ofSeconds(10));
    private static final int REFUSED = 400;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FAILURE = 500;

    private final RunnerApi calls;
    private final OutageLog outages;

    RunnerClient(BackendClient backend, OutageLog outages) {
        this.calls = new RunnerApi(backend.within(ANSWER));
        this.outages = outages;
    }

    <T> T call(Function<RunnerApi, T> call) {
        return call(call, () -> {});
    }

    /** @param asking runs before each attempt */
    <T> T call(Function<RunnerApi, T> call, Runnable asking) {
        Backoff.Pauses pauses = BACKOFF.begin();
        while (true) {
            try {
                asking.run();
                T answer = call.apply(calls);
                outages.answered();
                return answer;
            } catch (BackendException failure) {
                outages.failed(outage(failure));
            }
            sleep(pauses.next().orElseThrow());
        }
    }

    /** Returns the reason why the call is repeated. */
    private static String outage(BackendException failure) {
        if (Thread.currentThread().isInterrupted()) {
            throw new RefusedException("the runner was told to end");
        }
        int status = failure.status();
        if (status >= REFUSED && status < FAILURE && status != TOO_MANY_REQUESTS) {
            throw new RefusedException(failure.getMessage());
        }
        return status == 0
                ? OutageLog.text(failure.getCause() == null ? failure : failure.getCause())
                : "it answers with status " + status;
    }

    static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RefusedException("the runner was told to end");
        }
    }

    /** Thrown if the control plane refuses a call. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        RefusedException(String why) {
            super(why);
        }
    }
}
