package dev.outpost.provider.process.launch;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.config.ProcessSetting;
import dev.outpost.provider.support.EngineKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the engine and device of a machine. A requested GPU is never replaced silently: another engine is used only
 * if a setting names it, or names a replacement for that GPU.
 */
public final class DeviceChooser {
    private final List<HostGpu> gpus;
    private final GpuCatalogue catalogue;

    DeviceChooser(List<HostGpu> gpus, GpuCatalogue catalogue) {
        this.gpus = gpus;
        this.catalogue = catalogue;
    }

    /** Chooses among the GPUs of this host. */
    public static DeviceChooser ofThisHost() {
        return new DeviceChooser(HostGpus.list(HostGpus.OF_THIS_HOST), GpuCatalogue.configured());
    }

    /** Returns true if this host has GPUs for machines. Each machine uses its GPU alone. */
    public boolean hasGpus() {
        return !gpus.isEmpty();
    }

    /**
     * Refuses a GPU type that this host will never have.
     *
     * @throws IllegalArgumentException if the host will never have it; the message lists the available GPUs
     */
    public void check(GpuType type, ProcessConfig config) {
        if (config.engine().filter(engine -> engine != EngineKind.CUDA).isPresent() || hasStandIn(type, config)) {
            return;
        }
        boolean needsOne = !type.isAny() || config.engine().isPresent();
        if (needsOne && matching(type).isEmpty()) {
            throw new IllegalArgumentException(
                    "process: this host has no " + name(type) + "; it has " + whatThereIs() + "." + remedy(type));
        }
    }

    /**
     * Finds a device for one more machine.
     *
     * @param taken the GPUs of other machines, with the machines' names
     * @throws GpusTakenException if other machines use all suitable GPUs
     */
    public DeviceChoice place(GpuType type, ProcessConfig config, Map<String, String> taken) {
        check(type, config);
        if (config.engine().filter(engine -> engine != EngineKind.CUDA).isPresent()) {
            return DeviceChoice.on(config.engine().get());
        }
        if (hasStandIn(type, config)) {
            return DeviceChoice.on(config.gpus().get(key(type)));
        }
        List<HostGpu> matching = matching(type);
        return matching.isEmpty() ? DeviceChoice.on(EngineKind.CPU) : free(type, matching, taken);
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
                : " For development, " + ProcessSetting.GPUS.variable() + "=" + type.name()
                        + ":cpu in the environment of the backend, worker or program that starts the machine computes on the"
                        + " processor instead.";
    }
}
