package dev.outpost.nn;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.source.SourceTensor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** Makes a machine read a module's state from a source. If a part cannot be read, nothing changes. */
final class SourceLoading {
    private SourceLoading() {}

    static void load(SequencedMap<String, ModuleTensor> state, SequencedMap<String, SourceTensor> stored) {
        if (stored.isEmpty()) {
            return;
        }
        RemoteMachine machine = stored.firstEntry().getValue().source().machine();
        Map<ModuleTensor, Tensor> loaded = new LinkedHashMap<>();
        boolean isWhole = false;
        try {
            machine.unscoped(() -> {
                state.forEach((name, tensor) -> {
                    SourceTensor found = stored.get(name);
                    if (found != null && !loaded.containsKey(tensor)) {
                        loaded.put(tensor, found.to(tensor.dtype()).load());
                    }
                });
                return null;
            });
            machine.synchronize();
            isWhole = true;
        } finally {
            if (!isWhole) {
                loaded.values().forEach(Tensor::close);
            }
        }
        loaded.forEach(ModuleTensor::take);
    }
}
