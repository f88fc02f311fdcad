package dev.outpost.rest.runner;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The answer to a runner that wants to begin.
 *
 * @param run the run that it is let begin; absent while it is to ask again
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunnerBegun(RunOrder run) {

    /**
     * All that a run needs.
     *
     * @param environment variables of the process, secrets among them
     * @param contactMillis how long the run may go on without an answer of this backend; absent if no run may follow it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record RunOrder(
            UUID job,
            int number,
            String gpu,
            String program,
            String programName,
            long programSize,
            List<String> arguments,
            Map<String, String> environment,
            long timeoutMillis,
            Long contactMillis,
            String host,
            int port,
            String certificate) {
        @Override
        public String toString() {
            return "RunOrder[" + job + ", run " + number + "]";
        }
    }
}
