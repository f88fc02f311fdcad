package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.PeerLinks;
import dev.outpost.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;

/**
 * Records a batch on all machines of a pipeline: each stage, and the transfers between them. Does not wait for machines; only
 * the model's outputs are sent to the client. Used by one thread.
 */
final class BatchRecording implements AutoCloseable {
    private final List<StageHost> hosts;
    private final List<String> outputs;
    private final ActivationCodec codec;
    private final Optional<PeerLinks> links;
    private final PipelineBatch batch;
    /** The values that were sent to each stage, by name. */
    private final List<Map<String, Activation>> arrived = new ArrayList<>();

    private final SequencedMap<String, CompletableFuture<HostTensor>> fetched = new LinkedHashMap<>();

    /** @param links the connections between the machines; empty if there is only one stage */
    BatchRecording(
            List<StageHost> hosts,
            List<String> outputs,
            ActivationCodec codec,
            Optional<PeerLinks> links,
            PipelineBatch batch) {
        this.hosts = hosts;
        this.outputs = outputs;
        this.codec = codec;
        this.links = links;
        this.batch = batch;
        hosts.forEach(host -> arrived.add(new HashMap<>()));
    }

    /** Records all stages. Returns the pending outputs in the model's order. */
    SequencedMap<String, CompletableFuture<HostTensor>> record() {
        for (int place = 0; place < hosts.size(); place++) {
            record(place);
        }
        SequencedMap<String, CompletableFuture<HostTensor>> ordered = new LinkedHashMap<>();
        outputs.forEach(output -> ordered.put(output, fetched.get(output)));
        return ordered;
    }

    private void record(int place) {
        StageHost host = hosts.get(place);
        List<Tensor> inputs = new ArrayList<>();
        List<Tensor> made = List.of();
        try {
            for (String input : host.stage().inputs()) {
                inputs.add(input(place, input));
            }
            made = host.run(inputs, batch.types());
            for (int output = 0; output < made.size(); output++) {
                passOn(place, host.stage().outputs().get(output), made.get(output));
            }
        } finally {
            inputs.forEach(Tensor::close);
            made.forEach(Tensor::close);
        }
    }

    private Tensor input(int place, String name) {
        Activation sent = arrived.get(place).get(name);
        return sent == null ? hosts.get(place).machine().tensor(batch.inputs().get(name)) : sent.decode(codec);
    }

    private void passOn(int place, String name, Tensor value) {
        List<Integer> readers = readers(place, name);
        if (!readers.isEmpty()) {
            try (Activation encoded = Activation.encode(value, codec)) {
                for (int reader : readers) {
                    arrived.get(reader)
                            .put(
                                    name,
                                    encoded.send(
                                            links.orElseThrow(),
                                            hosts.get(reader).machine()));
                }
            }
        }
        if (outputs.contains(name)) {
            fetched.put(name, value.fetch());
        }
    }

    /**
     * Returns the later stages that read a value, in their order, so that each stage only waits for earlier stages.
     */
    private List<Integer> readers(int place, String name) {
        List<Integer> readers = new ArrayList<>();
        for (int later = place + 1; later < hosts.size(); later++) {
            if (hosts.get(later).stage().inputs().contains(name)) {
                readers.add(later);
            }
        }
        return readers;
    }

    @Override
    public void close() {
        arrived.forEach(values -> values.values().forEach(Activation::close));
    }
}
