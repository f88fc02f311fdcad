package dev.outpost.rest.runner;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a runner that asks to begin.
 *
 * @param run the run that it may begin; absent if it must ask again
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunnerBegun(@Nullable RunOrder run) {

    /**
     * The order to run a program.
     *
     * @param number the number of the run, from 1
     * @param program the SHA-256 of the jar, in hex
     * @param programName the file name of the jar
     * @param programSize the number of bytes of the jar
     * @param environment the additional environment variables of the process, secrets included
     * @param timeoutMillis the longest time of the run, in milliseconds
     * @param contactMillis the time without an answer of the backend after which the run must end, in milliseconds; absent if no run may
     *     follow it
     * @param host the host at which the machine serves
     * @param port the port at which the machine serves
     * @param certificate the SHA-256 of the machine's certificate, in hex
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
            @Nullable Long contactMillis,
            String host,
            int port,
            String certificate) {
        @Override
        public String toString() {
            return "RunOrder[" + job + ", run " + number + "]";
        }
    }
}
