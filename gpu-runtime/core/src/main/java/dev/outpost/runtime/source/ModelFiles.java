package dev.outpost.runtime.source;

import dev.outpost.protocol.files.ShardIndex;
import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Chooses the files of a source that hold its tensors, for each folder separately. It uses the first of these kinds
 * that the folder contains: {@code model*.safetensors}, torch's {@code pytorch_model*.bin}, other {@code
 * .safetensors} files, {@code adapter_model.bin}. Of this kind, it chooses the files that the index names. Without an
 * index, it chooses the file with the whole model, else the shards, else all files. The choice is needed because many
 * repositories also hold the same weights in another format, or tensors that belong to no model.
 */
final class ModelFiles {
    static final String SAFETENSORS = ".safetensors";
    private static final String TORCH = ".bin";
    private static final String MODEL_PREFIX = "model";
    private static final String MODEL = MODEL_PREFIX + SAFETENSORS;
    private static final String TORCH_PREFIX = "pytorch_model";
    private static final String TORCH_MODEL = TORCH_PREFIX + TORCH;
    /** The end of the file names of shards. */
    private static final String SHARD = "-\\d+-of-\\d+\\.(safetensors|bin)";
    /** The names of torch files that contain state dicts. Other {@code .bin} files may contain any data. */
    private static final String TORCH_NAMES = "(pytorch_model.*|adapter_model)\\.bin";

    /** Reads a small file of the source. */
    interface Reader {
        byte[] read(String path) throws IOException;
    }

    /** The files to read, each with the tensors that the index names in it. An empty set stands for all tensors. */
    private final Map<String, Set<String>> wanted = new LinkedHashMap<>();
    /** The reasons for which files are skipped, by path. */
    private final Map<String, String> skipped = new TreeMap<>();

    private final String uri;
    private final Reader reader;

    private ModelFiles(String uri, Reader reader) {
        this.uri = uri;
        this.reader = reader;
    }

    /** @param paths all files of the source */
    static ModelFiles choose(String uri, Collection<String> paths, Reader reader) throws IOException {
        Map<String, List<String>> folders = new TreeMap<>();
        for (String path : paths) {
            folders.computeIfAbsent(path.substring(0, path.lastIndexOf('/') + 1), folder -> new ArrayList<>())
                    .add(path.substring(path.lastIndexOf('/') + 1));
        }
        ModelFiles chosen = new ModelFiles(uri, reader);
        for (Map.Entry<String, List<String>> folder : folders.entrySet()) {
            chosen.choose(folder.getKey(), folder.getValue());
        }
        return chosen;
    }

    /** Returns the paths of the files to read. */
    Set<String> paths() {
        return wanted.keySet();
    }

    /** Returns the reasons for which files are skipped, by path. */
    Map<String, String> skipped() {
        return skipped;
    }

    /** Returns true if the source contains this tensor of the file. */
    boolean isWanted(String path, String tensor) {
        Set<String> named = wanted.get(path);
        return named.isEmpty() || named.contains(tensor);
    }

    /** Fails if a file lacks a tensor that the index names in it, so that a partially written model is not loaded. */
    void requireWhole(String path, Set<String> tensors) {
        for (String named : wanted.get(path)) {
            if (!tensors.contains(named)) {
                throw new MalformedException(
                        uri + "/" + path + ": the index names " + named + " in it, but it has no such tensor");
            }
        }
    }

    private void choose(String folder, List<String> names) throws IOException {
        List<String> safetensors = names(names, name -> name.endsWith(SAFETENSORS));
        List<String> torch = names(names, name -> name.matches(TORCH_NAMES));
        List<String> indices = names(names, name -> name.endsWith(ShardIndex.SUFFIX));
        List<String> model = names(safetensors, name -> name.startsWith(MODEL_PREFIX));
        List<String> modelIndices = names(indices, name -> name.startsWith(MODEL_PREFIX));
        List<String> torchModel = names(torch, name -> name.startsWith(TORCH_PREFIX));
        String torchIndex = names.contains(ShardIndex.TORCH_FILE_NAME) ? ShardIndex.TORCH_FILE_NAME : null;
        boolean hasOther = !safetensors.isEmpty() || !indices.isEmpty();
        if (!model.isEmpty() || !modelIndices.isEmpty()) {
            choose(folder, safetensors, model, index(modelIndices), MODEL);
            skip(folder, torch, "the folder has safetensors files");
        } else if (!torchModel.isEmpty() || torchIndex != null && !hasOther) {
            choose(folder, torch, torchModel, torchIndex, TORCH_MODEL);
            skip(folder, safetensors, "files that are named " + TORCH_PREFIX + " are the model");
        } else if (hasOther) {
            choose(folder, safetensors, safetensors, index(indices), MODEL);
            skip(folder, torch, "the folder has safetensors files");
        } else {
            choose(folder, torch, torch, null, TORCH_MODEL);
        }
    }

    private void skip(String folder, List<String> names, String reason) {
        names.forEach(name -> skipped.put(folder + name, reason));
    }

    private static List<String> names(List<String> names, Predicate<String> isWanted) {
        return names.stream().filter(isWanted).sorted().toList();
    }

    /**
     * Returns the index of the model. If the model has no index, returns the index of a variant, for example
     * {@code model.fp16.safetensors.index.json}, or null.
     */
    private static String index(List<String> indices) {
        return indices.contains(ShardIndex.FILE_NAME)
                ? ShardIndex.FILE_NAME
                : indices.stream()
                        .filter(name -> name.indexOf('.') == name.length() - ShardIndex.SUFFIX.length())
                        .findFirst()
                        .orElse(indices.isEmpty() ? null : indices.getFirst());
    }

    /**
     * Chooses files of one kind and skips the others.
     *
     * @param all all files of the kind
     * @param candidates the files to choose from if there is no index
     * @param index the name of the index, or null
     * @param whole the name of a file that holds a whole model
     */
    private void choose(String folder, List<String> all, List<String> candidates, String index, String whole)
            throws IOException {
        Set<String> chosen = new HashSet<>();
        String reason;
        if (index != null) {
            chooseNamed(folder, new HashSet<>(all), index, chosen);
            reason = index + " does not name it";
        } else if (candidates.contains(whole)) {
            chosen.add(whole);
            reason = whole + " is the model";
        } else {
            List<String> shards = shards(candidates, whole.substring(0, whole.indexOf('.')));
            chosen.addAll(shards.isEmpty() ? candidates : shards);
            reason = shards.isEmpty() ? "files named as those of a model are there" : "it is no shard of the model";
        }
        if (index == null) {
            candidates.stream().filter(chosen::contains).forEach(name -> wanted.put(folder + name, Set.of()));
        }
        skip(folder, names(all, name -> !chosen.contains(name)), reason);
    }

    /**
     * Returns the shards of a stem, such as {@code model-00001-of-00002.safetensors}. If the stem has none, returns the shards of any
     * stem.
     */
    private static List<String> shards(List<String> names, String stem) {
        List<String> own = names(names, name -> name.matches(stem + SHARD));
        return own.isEmpty() ? names(names, name -> name.matches(".*" + SHARD)) : own;
    }

    private void chooseNamed(String folder, Set<String> names, String index, Set<String> chosen) throws IOException {
        ShardIndex shards = ShardIndex.parse(uri + "/" + folder + index, reader.read(folder + index));
        for (Map.Entry<String, String> entry : shards.fileOfTensor().entrySet()) {
            if (!names.contains(entry.getValue())) {
                throw new MalformedException(uri + "/" + folder + index + ": it names " + entry.getKey() + " in "
                        + entry.getValue() + ", but no such file exists");
            }
            chosen.add(entry.getValue());
            wanted.computeIfAbsent(folder + entry.getValue(), file -> new HashSet<>())
                    .add(entry.getKey());
        }
    }
}
