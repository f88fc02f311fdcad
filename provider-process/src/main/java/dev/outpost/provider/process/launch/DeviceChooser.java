package dev.outpost.provider.process.launch;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.process.config.EngineName;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.config.ProcessSetting;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds where a machine computes. A GPU that was asked for by its name is a GPU: only a stand-in that somebody set, or an engine,
 * puts something else in its place.
 */
public final class DeviceChooser {
    private final List<HostGpu> gpus;
    private final GpuCatalogue catalogue;

    DeviceChooser(List<HostGpu> gpus, GpuCatalogue catalogue) {
        this.gpus = gpus;
        this.catalogue = catalogue;
    }

    /** On the GPUs of this host. */
    public static DeviceChooser ofThisHost() {
        return new DeviceChooser(HostGpus.list(HostGpus.OF_THIS_HOST), GpuCatalogue.configured());
    }

    /** Whether machines may compute on a GPU, which they have to themselves. */
    public boolean hasGpus() {
        return !gpus.isEmpty();
    }

    /**
     * Refuses what this host will never have.
     *
     * @throws IllegalArgumentException with a sentence that says what there is
     */
    public void check(GpuType type, ProcessConfig config) {
        if (config.engine().filter(engine -> engine != EngineName.CUDA).isPresent() || hasStandIn(type, config)) {
            return;
        }
        boolean needsOne = !type.isAny() || config.engine().isPresent();
        if (needsOne && matching(type).isEmpty()) {
            throw new IllegalArgumentException(
                    "process: this host has no " + name(type) + "; it has " + whatThereIs() + "." + remedy(type));
        }
    }

    /**
     * A place for one more machine.
     *
     * @param taken the GPUs that other machines have, with the names of these
     * @throws GpusTakenException where others have all that would do
     */
    public DeviceChoice place(GpuType type, ProcessConfig config, Map<String, String> taken) {
        check(type, config);
        if (config.engine().filter(engine -> engine != EngineName.CUDA).isPresent()) {
            return DeviceChoice.on(config.engine().get());
        }
        if (hasStandIn(type, config)) {
            return DeviceChoice.on(config.gpus().get(key(type)));
        }
        List<HostGpu> matching = matching(type);
        return matching.isEmpty() ? DeviceChoice.on(EngineName.CPU) : free(type, matching, taken);
    }

    private static DeviceChoice free(GpuType type, List<HostGpu> matching, Map<String, String> taken) {
        return matching.stream()
                .filter(gpu -> !taken.containsKey(gpu.uuid()))
                .findFirst()
                .map(DeviceChoice::on)
                .orElseThrow(() -> new GpusTakenException("process: all " + matching.size() + " of this host's "
                        + name(type) + " are taken, by "
                        + matching.stream().map(gpu -> taken.get(gpu.uuid())).collect(Collectors.joining(", "))
                        + "; end one of these machines, or set " + ProcessSetting.ENGINE.property() + "=cpu"));
    }

    private List<HostGpu> matching(GpuType type) {
        return gpus.stream().filter(gpu -> gpu.is(type, catalogue)).toList();
    }

    private static boolean hasStandIn(GpuType type, ProcessConfig config) {
        return config.gpus().containsKey(key(type));
    }

    private static String key(GpuType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private static String name(GpuType type) {
        return type.isAny() ? "GPU" : type.name();
    }

    private String whatThereIs() {
        return gpus.isEmpty()
                ? "no GPU that NVIDIA's driver lists"
                : gpus.stream().map(HostGpu::model).distinct().collect(Collectors.joining(", "));
    }

    private static String remedy(GpuType type) {
        return type.isAny()
                ? ""
                : " For development, " + ProcessSetting.GPUS.property() + "=" + type.name()
                        + ":cpu computes on the processor instead.";
    }
}
