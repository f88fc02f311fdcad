package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/**
 * The API's view of a machine.
 *
 * @param state how far it is
 * @param phase within the state: what it waits for
 * @param text a sentence about it
 * @param endpoint where it serves, once that is known
 * @param costNanos what it has cost so far, in billionths of the currency's unit
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
        String assignedGpu,
        int gpus,
        int members,
        String cluster,
        EndpointView endpoint,
        Instant created,
        Instant admitted,
        Instant endsAt,
        Instant endAsked,
        EndReason endReason,
        Long costNanos,
        BigDecimal cost) {

    /**
     * The endpoint that a client connects to.
     *
     * @param certificate the SHA-256 of the machine's certificate, in hex
     * @param serverName what the client asks for in TLS (SNI), where host and port are a relay's
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EndpointView(String host, int port, String certificate, String serverName) {}
}
