package dev.outpost.rest.worker;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * The orders for the host, with their version. A machine that is not listed continues, because each end is an order.
 *
 * @param takes the fields of reports that backends of an older version refuse, and this one takes
 */
public record WorkerOrders(
        @JsonProperty(required = true) long version,
        @JsonProperty(required = true) List<WorkerOrder> machines,
        List<String> takes) {

    /**
     * An order that the host shall run a machine, or shall end it.
     *
     * @param started whether the host had it once: it is not made again then
     * @param grants as they stand in a runtime's grants file
     * @param revoked the hashes of tokens that open nothing any more
     * @param runnerToken what the runner of a job bears that is started beside it; absent where there is no job
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record WorkerOrder(
            @JsonProperty(required = true) String id,
            @JsonProperty(required = true) int epoch,
            @JsonProperty(required = true) long version,
            @JsonProperty(required = true) boolean ending,
            boolean started,
            String gpu,
            int gpus,
            Long memoryBytes,
            Long leaseMillis,
            Long idleMillis,
            Long lifeMillis,
            Map<String, String> labels,
            List<String> grants,
            List<String> revoked,
            String runnerToken) {}
}
