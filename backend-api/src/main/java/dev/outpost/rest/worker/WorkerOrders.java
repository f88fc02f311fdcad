package dev.outpost.rest.worker;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The orders for a worker host. An unlisted machine continues, because each end is an order.
 *
 * @param version the version of the orders
 * @param takes the fields of reports that this backend accepts and an older one refuses; absent from an older backend
 */
public record WorkerOrders(
        long version, List<WorkerOrder> machines, @Nullable List<String> takes) {

    /**
     * The order to run a machine, or to end it.
     *
     * @param epoch the number of the attempt to start it, from 1
     * @param version the version of the orders at which this order last changed
     * @param ending true if the machine shall end
     * @param started true if the host once had the machine; then the host does not start it again
     * @param gpus the number of GPUs
     * @param memoryBytes the number of bytes of GPU memory that it may use
     * @param leaseMillis the time that it lives after its last client, in milliseconds
     * @param idleMillis the time that it lives without an instruction, in milliseconds
     * @param lifeMillis the longest life, in milliseconds
     * @param grants the grants, as lines of a runtime's grants file
     * @param revoked the SHA-256 hashes, in hex, of revoked tokens
     * @param runnerToken the token of the runner that is started beside it; absent if there is no job
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record WorkerOrder(
            String id,
            int epoch,
            long version,
            boolean ending,
            boolean started,
            String gpu,
            int gpus,
            @Nullable Long memoryBytes,
            @Nullable Long leaseMillis,
            @Nullable Long idleMillis,
            @Nullable Long lifeMillis,
            Map<String, String> labels,
            List<String> grants,
            List<String> revoked,
            @Nullable String runnerToken) {}
}
