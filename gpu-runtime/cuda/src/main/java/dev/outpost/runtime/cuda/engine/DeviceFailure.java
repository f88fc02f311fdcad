package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.library.CudaException;
import java.util.Set;

/** Determines if a failure of the driver is permanent, which means that the context and all its memory are lost. */
final class DeviceFailure {
    /** The values of CUresult for permanent failures, from cuda.h of CUDA 12 and 13. */
    private static final Set<Integer> LASTING = Set.of(
            4, // CUDA_ERROR_DEINITIALIZED
            46, // CUDA_ERROR_DEVICE_UNAVAILABLE
            100, // CUDA_ERROR_NO_DEVICE
            101, // CUDA_ERROR_INVALID_DEVICE
            201, // CUDA_ERROR_INVALID_CONTEXT
            214, // CUDA_ERROR_ECC_UNCORRECTABLE
            220, // CUDA_ERROR_NVLINK_UNCORRECTABLE
            226, // CUDA_ERROR_CONTAINED
            700, // CUDA_ERROR_ILLEGAL_ADDRESS
            702, // CUDA_ERROR_LAUNCH_TIMEOUT
            709, // CUDA_ERROR_CONTEXT_IS_DESTROYED
            710, // CUDA_ERROR_ASSERT
            714, // CUDA_ERROR_HARDWARE_STACK_ERROR
            715, // CUDA_ERROR_ILLEGAL_INSTRUCTION
            716, // CUDA_ERROR_MISALIGNED_ADDRESS
            717, // CUDA_ERROR_INVALID_ADDRESS_SPACE
            718, // CUDA_ERROR_INVALID_PC
            719, // CUDA_ERROR_LAUNCH_FAILED
            721, // CUDA_ERROR_TENSOR_MEMORY_LEAK
            802, // CUDA_ERROR_SYSTEM_NOT_READY
            810, // CUDA_ERROR_MPS_CLIENT_TERMINATED
            911, // CUDA_ERROR_EXTERNAL_DEVICE
            999); // CUDA_ERROR_UNKNOWN

    private DeviceFailure() {}

    static boolean isLasting(CudaException failure) {
        return failure.call().startsWith("cu")
                && !failure.call().startsWith("cublas")
                && LASTING.contains(failure.code());
    }
}
