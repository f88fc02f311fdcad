package dev.outpost.protocol.op;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class OpTableTest {

    /** Codes are on the wire forever. Ops are added to this list when they are released, and never change in it. */
    private static final String CODES = """
            1 copy, 2 neg, 3 abs, 4 sign, 5 ceil, 6 floor, 7 trunc, 8 round, 9 relu, 10 sqrt, 11 rsqrt, 12 exp,
            13 exp2, 14 expm1, 15 log, 16 log2, 17 log10, 18 log1p, 19 sin, 20 cos, 21 tan, 22 asin, 23 acos, 24 atan,
            25 sinh, 26 cosh, 27 tanh, 28 asinh, 29 acosh, 30 atanh, 31 sigmoid, 32 erf, 33 erfc, 34 erfinv, 35 lgamma,
            36 digamma, 37 isnan, 38 bitwise_not,
            80 add, 81 sub, 82 mul, 83 div, 84 trunc_divide, 85 floor_divide, 86 remainder, 87 fmod, 88 pow, 89 atan2,
            90 maximum, 91 minimum, 92 copysign, 93 nextafter, 94 hypot, 95 polygamma, 96 eq, 97 ne, 98 lt, 99 le, 100 gt, 101 ge,
            104 bitwise_and, 105 bitwise_or, 106 bitwise_xor, 107 bitwise_left_shift, 108 bitwise_right_shift,
            112 chebyshev_polynomial_t, 113 chebyshev_polynomial_u, 114 chebyshev_polynomial_v, 115 chebyshev_polynomial_w,
            116 hermite_polynomial_h, 117 hermite_polynomial_he, 118 laguerre_polynomial_l, 119 legendre_polynomial_p, 120 gcd,
            128 where, 136 to,
            140 sum, 141 prod, 142 amax, 143 amin, 148 argmax, 149 argmin, 150 cumsum, 151 cumprod, 152 cummax,
            153 cummin, 160 as_strided, 161 as_strided_scatter, 162 update_guard,
            163 update_commit, 164 matmul, 165 conv2d,
            166 conv2d_input, 167 conv2d_weight, 168 max_pool2d,
            170 full, 171 arange, 172 tensor, 173 upload, 174 rand, 175 randn, 176 randint, 177 load,
            180 index, 181 gather, 182 index_select, 184 scatter, 185 scatter_add, 186 scatter_reduce_prod,
            187 scatter_reduce_amax, 188 scatter_reduce_amin, 190 index_copy, 191 index_add, 192 index_reduce_prod,
            193 index_reduce_amax, 194 index_reduce_amin, 196 sort, 197 cat, 198 nonzero,
            200 scaled_dot_product_attention, 201 scaled_dot_product_attention_gradient,
            202 cholesky, 203 lu_factor, 204 pivot_order, 205 solve_triangular, 206 qr, 207 eigh, 208 svd, 209 paged_attention,
            210 ldl_factor, 211 ldl_solve, 212 all_reduce, 213 all_gather, 214 reduce_scatter, 215 all_to_all, 216 send, 217 receive,
            218 model_open, 219 model_call, 220 quantized_matmul, 221 eig, 222 quantized_matmul_input,
            223 rand_part, 224 randn_part, 225 randint_part,
            232 all_reduce_rounded
            """;

    @Test
    void everyRowHasASample() {
        Map<Integer, OpSample> samples = samplesByCode();
        List<String> missing = OpTable.rows().stream()
                .filter(row -> !samples.containsKey(row.code()))
                .map(OpTableTest::describe)
                .toList();
        assertEquals(List.of(), missing, "rows without a line in OpSamples");
    }

    @Test
    void everySampleIsItsOwnRow() {
        assertEquals(OpTable.rows().size(), OpSamples.all().size());
        for (OpSample sample : OpSamples.all()) {
            Op op = sample.op();
            assertEquals(op.arity(), OpTable.arity(op.code()), op.label());
            int operands = sample.operands().size();
            assertTrue(op.arity() == operands || op.arity() == Op.VARIADIC && operands > 1, op.label());
        }
    }

    @Test
    void codesNeverChange() {
        Map<Integer, OpSample> samples = samplesByCode();
        codes().forEach((code, label) -> {
            OpSample sample = samples.get(code);
            assertEquals(label, sample == null ? "nothing" : sample.op().label(), "code " + code);
        });
    }

    @Test
    void labelsAreUnique() {
        long distinct =
                OpSamples.all().stream().map(OpSample::toString).distinct().count();
        assertEquals(OpSamples.all().size(), distinct);
    }

    @Test
    void unknownCodesAreMalformed() {
        for (int code : new int[] {-1, 0, 79, 255, 256, Integer.MAX_VALUE}) {
            assertMalformed("op code " + code + " is unknown", () -> OpTable.arity(code));
            assertMalformed("op code " + code + " is unknown", () -> OpTable.read(code, nothing()));
        }
    }

    private static Map<Integer, OpSample> samplesByCode() {
        return OpSamples.all().stream()
                .collect(Collectors.toMap(sample -> sample.op().code(), Function.identity()));
    }

    private static Map<Integer, String> codes() {
        Map<Integer, String> codes = new TreeMap<>();
        for (String entry : CODES.strip().split(",\\s+")) {
            String[] parts = entry.split(" ");
            codes.put(Integer.parseInt(parts[0]), parts[1]);
        }
        return codes;
    }

    /** A row has no name of its own, but most ops can be read from nothing but zeros. */
    private static String describe(OpTable.Row row) {
        try {
            return OpTable.read(row.code(), nothing()).label() + " (" + row.code() + ")";
        } catch (OutpostException ignored) {
            return "code " + row.code();
        }
    }

    private static AttributeReader nothing() {
        return new AttributeReader(new ByteReader(new byte[64]), new ByteReader(new byte[64]));
    }
}
