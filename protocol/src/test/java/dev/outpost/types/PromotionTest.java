package dev.outpost.types;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.types.Promotion.Rank;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PromotionTest {

    /** torch.promote_types, as the PyTorch sources tabulate it (c10/core/ScalarType.cpp). */
    private static final String TABLE = """
            -   u1  i1  i2  i4  i8  f2  f4  f8  b1  bf
            u1  u1  i2  i2  i4  i8  f2  f4  f8  u1  bf
            i1  i2  i1  i2  i4  i8  f2  f4  f8  i1  bf
            i2  i2  i2  i2  i4  i8  f2  f4  f8  i2  bf
            i4  i4  i4  i4  i4  i8  f2  f4  f8  i4  bf
            i8  i8  i8  i8  i8  i8  f2  f4  f8  i8  bf
            f2  f2  f2  f2  f2  f2  f2  f4  f8  f2  f4
            f4  f4  f4  f4  f4  f4  f4  f4  f8  f4  f4
            f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  f8
            b1  u1  i1  i2  i4  i8  f2  f4  f8  b1  bf
            bf  bf  bf  bf  bf  bf  f4  f4  f8  bf  bf
            """;

    @Test
    void promotesAsPyTorchDoes() {
        List<String[]> rows = TABLE.lines().map(line -> line.split(" +")).toList();
        String[] columns = rows.getFirst();
        assertEquals(DType.values().length, rows.size() - 1);
        for (String[] row : rows.subList(1, rows.size())) {
            for (int column = 1; column < columns.length; column++) {
                DType left = dtype(row[0]);
                DType right = dtype(columns[column]);
                assertEquals(dtype(row[column]), Promotion.promote(left, right), left + " and " + right);
            }
        }
    }

    @Test
    void theTableNamesEveryDType() {
        String[] columns = TABLE.lines().findFirst().orElseThrow().split(" +");
        assertEquals(
                List.of(DType.values()),
                Arrays.stream(columns)
                        .skip(1)
                        .map(PromotionTest::dtype)
                        .sorted()
                        .toList());
    }

    /** A number never widens within its category: {@code int8 + 1} is int8, {@code float16 + 0.5} is float16. */
    @Test
    void numbersYieldWithinTheirCategory() {
        assertEquals(DType.INT8, result(DType.INT8, Rank.DIMENSIONED, DType.INT64, Rank.NUMBER));
        assertEquals(DType.FLOAT16, result(DType.FLOAT16, Rank.DIMENSIONED, DType.FLOAT32, Rank.NUMBER));
        assertEquals(DType.BFLOAT16, result(DType.BFLOAT16, Rank.ZERO_DIM, DType.INT64, Rank.NUMBER));
    }

    /** {@code int32 tensor + 0.5} is float32, {@code bool tensor + 1} is int64. */
    @Test
    void numbersOfAHigherCategoryWin() {
        assertEquals(DType.FLOAT32, result(DType.INT32, Rank.DIMENSIONED, DType.FLOAT32, Rank.NUMBER));
        assertEquals(DType.INT64, result(DType.BOOL, Rank.DIMENSIONED, DType.INT64, Rank.NUMBER));
        assertEquals(DType.FLOAT32, result(DType.INT64, Rank.ZERO_DIM, DType.FLOAT32, Rank.NUMBER));
    }

    /** {@code float32 tensor + float64 scalar tensor} is float32; {@code int32 tensor + float64 scalar tensor} is float64. */
    @Test
    void zeroDimensionalTensorsYieldToDimensionedOnes() {
        assertEquals(DType.FLOAT32, result(DType.FLOAT32, Rank.DIMENSIONED, DType.FLOAT64, Rank.ZERO_DIM));
        assertEquals(DType.UINT8, result(DType.UINT8, Rank.DIMENSIONED, DType.INT64, Rank.ZERO_DIM));
        assertEquals(DType.FLOAT64, result(DType.INT32, Rank.DIMENSIONED, DType.FLOAT64, Rank.ZERO_DIM));
        assertEquals(DType.INT8, result(DType.BOOL, Rank.DIMENSIONED, DType.INT8, Rank.ZERO_DIM));
    }

    @Test
    void equalRanksPromote() {
        for (Rank rank : Rank.values()) {
            assertEquals(DType.FLOAT32, result(DType.FLOAT16, rank, DType.BFLOAT16, rank));
            assertEquals(DType.INT16, result(DType.INT8, rank, DType.UINT8, rank));
        }
    }

    private static DType result(DType left, Rank leftRank, DType right, Rank rightRank) {
        DType result = Promotion.resultType(left, leftRank, right, rightRank);
        assertEquals(result, Promotion.resultType(right, rightRank, left, leftRank), "the other way round");
        return result;
    }

    private static DType dtype(String shortName) {
        return switch (shortName) {
            case "u1" -> DType.UINT8;
            case "i1" -> DType.INT8;
            case "i2" -> DType.INT16;
            case "i4" -> DType.INT32;
            case "i8" -> DType.INT64;
            case "f2" -> DType.FLOAT16;
            case "f4" -> DType.FLOAT32;
            case "f8" -> DType.FLOAT64;
            case "b1" -> DType.BOOL;
            case "bf" -> DType.BFLOAT16;
            default -> throw new IllegalArgumentException(shortName);
        };
    }
}
