package dev.outpost.runtime.cuda.blas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.runtime.cuda.device.Multiplier.Factor;
import dev.outpost.runtime.cuda.device.Multiplier.Product;
import dev.outpost.types.DType;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the compute types of products: operands are rounded only if the setting and their dtype allow it. */
@Tag("quick")
class ShortProductsTest {
    /** Values of cublasComputeType_t. */
    private static final long IN_FLOAT32 = 68;

    private static final long IN_FLOAT32_BY_TF32 = 77;
    private static final Alignments ANY = new Alignments(256, 256, 256);

    private static long computeType(DType dtype, boolean shortProducts) throws ReflectiveOperationException {
        ColumnMajorCublasLt library = new ColumnMajorCublasLt();
        Factor factor = new Factor(false, 4, 16);
        BatchProduct.Start start = new BatchProduct.Start(MemorySegment.NULL, 0, shortProducts);
        new BatchProduct(new CublasLt(library.library()), start, new Product(dtype, 1, 4, 4, 4, factor, factor), ANY)
                .close();
        return library.latestComputeType();
    }

    @Test
    void theyAreRoundedWhereTheSettingLetsThem() throws ReflectiveOperationException {
        assertEquals(IN_FLOAT32, computeType(DType.FLOAT32, false));
        assertEquals(IN_FLOAT32_BY_TF32, computeType(DType.FLOAT32, true));
    }

    @Test
    void shortFloatsAreSummedInFloat32Anyway() throws ReflectiveOperationException {
        for (DType dtype : new DType[] {DType.FLOAT16, DType.BFLOAT16}) {
            assertEquals(IN_FLOAT32, computeType(dtype, false));
            assertEquals(IN_FLOAT32, computeType(dtype, true));
        }
    }
}
