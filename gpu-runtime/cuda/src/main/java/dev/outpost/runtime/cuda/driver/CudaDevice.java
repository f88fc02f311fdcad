package dev.outpost.runtime.cuda.driver;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/**
 * A GPU.
 *
 * @param ordinal its number in this process, from 0
 * @param name the driver's name for it
 * @param architecture its compute capability as NVRTC writes it: 90 for 9.0
 * @param memory the size of its memory in bytes
 * @param multiprocessors the number of its multiprocessors
 */
public record CudaDevice(int ordinal, String name, int architecture, long memory, int multiprocessors) {
    private static final int NAME_BYTES = 256;

    /** Returns a name that no other device has, such as {@code GPU-1b2c…}. */
    public String uuid() {
        CUuuid uuid = new CUuuid();
        DriverCheck.check("cuDeviceGetUuid", JCudaDriver.cuDeviceGetUuid(uuid, handle(ordinal)));
        return "GPU-" + HexFormat.of().formatHex(uuid.bytes);
    }

    static CudaDevice of(int ordinal) {
        CUdevice device = handle(ordinal);
        byte[] name = new byte[NAME_BYTES];
        DriverCheck.check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, NAME_BYTES, device));
        long[] memory = {0};
        DriverCheck.check("cuDeviceTotalMem", JCudaDriver.cuDeviceTotalMem(memory, device));
        int major = attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        int minor = attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        int multiprocessors = attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        return new CudaDevice(ordinal, text(name), 10 * major + minor, memory[0], multiprocessors);
    }

    CUdevice handle() {
        return handle(ordinal);
    }

    /** Returns the compute capability as NVIDIA writes it, such as 9.0. */
    public String computeCapability() {
        return architecture / 10 + "." + architecture % 10;
    }

    private static CUdevice handle(int ordinal) {
        CUdevice device = new CUdevice();
        DriverCheck.check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
        return device;
    }

    private static int attribute(CUdevice device, int attribute) {
        int[] value = {0};
        DriverCheck.check("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
        return value[0];
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8).replaceFirst("\0.*", "").strip();
    }
}
