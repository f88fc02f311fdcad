package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a machine.
 *
 * @param epoch the number of the attempt to start it, from 1
 * @param phase the step within the state, or the reason why it waits in the state
 * @param text a sentence about its state
 * @param since the time at which the phase began
 * @param owner the name of the requester
 * @param gpu the requested kind of GPU
 * @param assignedGpu the kind of GPU that it got
 * @param gpus the number of GPUs of each member
 * @param members the number of machines of the request
 * @param endpoint the address at which it serves; absent until it is known
 * @param admitted the time at which it got a cluster
 * @param endsAt the time at which its life ends
 * @param endAsked the time at which its end was requested
 * @param costNanos the cost until now, in billionths of the currency's unit
 * @param cost the cost until now, in units of the currency
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MachineView(
        UUID id,
        int epoch,
        long version,
        Phase.State state,
        Phase phase,
        String text,
        Instant since,
        String project,
        String owner,
        String gpu,
        @Nullable String assignedGpu,
        int gpus,
        int members,
        @Nullable String cluster,
        @Nullable EndpointView endpoint,
        Instant created,
        @Nullable Instant admitted,
        @Nullable Instant endsAt,
        @Nullable Instant endAsked,
        @Nullable EndReason endReason,
        @Nullable Long costNanos,
        @Nullable BigDecimal cost) {

    /**
     * The endpoint that a client connects to.
     *
     * @param certificate the SHA-256 of the machine's certificate, in hex
     * @param serverName the TLS server name (SNI) that the client sends; present if host and port are those of a relay
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EndpointView(
            String host,
            int port,
            String certificate,
            @Nullable String serverName) {}
}
