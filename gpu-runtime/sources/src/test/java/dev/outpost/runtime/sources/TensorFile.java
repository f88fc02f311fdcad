package dev.outpost.runtime.sources;

import dev.outpost.HostTensor;
import dev.outpost.protocol.files.SafetensorsLayout;
import dev.outpost.protocol.files.StoredTensor;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the bytes of safetensors files. */
public final class TensorFile {
    private TensorFile() {}

    public static byte[] of(Map<String, HostTensor> tensors) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> types.put(name, new TensorType(tensor.dtype(), tensor.shape())));
        SafetensorsLayout layout = SafetensorsLayout.of(types, Map.of());
        byte[] bytes = Arrays.copyOf(layout.head(), (int) layout.size());
        for (StoredTensor stored : layout.tensors()) {
            byte[] elements = tensors.get(stored.name()).bytes();
            System.arraycopy(elements, 0, bytes, (int) stored.begin(), elements.length);
        }
        return bytes;
    }
}
