// The types of elements in memory, and the types that kernels compute with: float for 16-bit floats, int for narrow integers. This text is
// CUDA C++. Together with the emulation's header it is also C.

#define FN static __device__ __forceinline__

typedef signed char i8;
typedef unsigned char u8;
typedef unsigned char b8;
typedef short i16;
typedef unsigned short u16;
typedef unsigned short f16;
typedef unsigned short bf16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

#define INFINITE_F64 __longlong_as_double(0x7ff0000000000000LL)
#define NAN_F64 __longlong_as_double(0x7ff8000000000000LL)
#define LARGEST_I64 0x7fffffffffffffffLL
#define SMALLEST_I64 (-LARGEST_I64 - 1)

FN f32 f32_load(f32 x) { return x; }
FN f32 f32_store(f32 x) { return x; }
FN f64 f64_load(f64 x) { return x; }
FN f64 f64_store(f64 x) { return x; }
FN i64 i64_load(i64 x) { return x; }
FN i64 i64_store(i64 x) { return x; }
FN i32 i32_load(i32 x) { return x; }
FN i32 i32_store(i32 x) { return x; }
FN i32 i16_load(i16 x) { return x; }
FN i16 i16_store(i32 x) { return (i16) (u16) (u32) x; }
FN i32 i8_load(i8 x) { return x; }
FN i8 i8_store(i32 x) { return (i8) (u8) (u32) x; }
FN i32 u8_load(u8 x) { return x; }
FN u8 u8_store(i32 x) { return (u8) (u32) x; }
FN i32 b8_load(b8 x) { return x; }
FN b8 b8_store(i32 x) { return x != 0; }

FN f32 bf16_load(bf16 x) { return __uint_as_float((u32) x << 16); }

#if defined(__CUDACC_RTC__) && __CUDA_ARCH__ >= 800
FN bf16 bf16_store(f32 x)
{
    bf16 narrow;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(narrow) : "f"(x));
    return narrow;
}
#else
// The same in software: rounds to nearest, ties to even, and keeps NaN.
FN bf16 bf16_store(f32 x)
{
    u32 bits = __float_as_uint(x);
    if (x != x) {
        return (bf16) (bits >> 16 | 0x40);
    }
    return (bf16) ((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#endif

#ifdef __CUDACC_RTC__
FN f32 f16_load(f16 x)
{
    f32 wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x));
    return wide;
}

FN f16 f16_store(f32 x)
{
    f16 narrow;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrow) : "f"(x));
    return narrow;
}
#else
// The same in software, if the instruction does not exist.
FN f32 f16_load(f16 x)
{
    u32 sign = (u32) (x & 0x8000) << 16;
    u32 magnitude = x & 0x7fff;
    if (magnitude >= 0x7c00) {
        return __uint_as_float(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    }
    f32 scaled = __uint_as_float(magnitude << 13) * __uint_as_float(0x77800000);
    return __uint_as_float(sign | __float_as_uint(scaled));
}

FN f16 f16_store(f32 x)
{
    u32 bits = __float_as_uint(x);
    u32 sign = bits >> 16 & 0x8000;
    u32 magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) {
        return (f16) (sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
    }
    if (magnitude >= 0x477ff000) {
        return (f16) (sign | 0x7c00);
    }
    if (magnitude < 0x38800000) {
        // Adding a half makes the hardware round at the last bit of a subnormal.
        f32 shifted = __uint_as_float(magnitude) + 0.5f;
        return (f16) (sign | (__float_as_uint(shifted) - 0x3f000000));
    }
    return (f16) (sign | ((magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13));
}
#endif

FN f32 f32_round(f32 x) { return x; }
FN f64 f64_round(f64 x) { return x; }
FN i64 i64_round(i64 x) { return x; }
FN i32 i32_round(i32 x) { return x; }
FN f32 f16_round(f32 x) { return f16_load(f16_store(x)); }
FN f32 bf16_round(f32 x) { return bf16_load(bf16_store(x)); }
FN i32 i16_round(i32 x) { return i16_store(x); }
FN i32 i8_round(i32 x) { return i8_store(x); }
FN i32 u8_round(i32 x) { return u8_store(x); }
FN i32 b8_round(i32 x) { return b8_store(x); }

// Elements that are only copied, by their size in bits.
FN u8 m8_load(u8 x) { return x; }
FN u8 m8_store(u8 x) { return x; }
FN u16 m16_load(u16 x) { return x; }
FN u16 m16_store(u16 x) { return x; }
FN u32 m32_load(u32 x) { return x; }
FN u32 m32_store(u32 x) { return x; }
FN u64 m64_load(u64 x) { return x; }
FN u64 m64_store(u64 x) { return x; }

// Conversions between types of numbers, with the rules of Java: a float that is too large for an integer saturates, and NaN becomes 0.
FN f32 f32_to_f32(f32 x) { return x; }
FN f64 f32_to_f64(f32 x) { return x; }
FN f32 f64_to_f32(f64 x) { return (f32) x; }
FN f64 f64_to_f64(f64 x) { return x; }

FN i64 f64_to_i64(f64 x)
{
    if (x != x) {
        return 0;
    }
    if (x >= 9223372036854775808.0) {
        return LARGEST_I64;
    }
    return x <= -9223372036854775808.0 ? SMALLEST_I64 : (i64) x;
}

FN i64 i32_to_i64(i32 x) { return x; }
FN i32 i64_to_i32(i64 x) { return (i32) (u32) (u64) x; }
FN i64 i64_to_i64(i64 x) { return x; }
FN i32 i32_to_i32(i32 x) { return x; }
FN i64 f32_to_i64(f32 x) { return f64_to_i64(x); }
FN i32 f32_to_i32(f32 x) { return i64_to_i32(f64_to_i64(x)); }
FN i32 f64_to_i32(f64 x) { return i64_to_i32(f64_to_i64(x)); }
FN f32 i32_to_f32(i32 x) { return (f32) x; }
FN f64 i32_to_f64(i32 x) { return (f64) x; }
FN f32 i64_to_f32(i64 x) { return (f32) x; }
FN f64 i64_to_f64(i64 x) { return (f64) x; }

// Returns the offset of an element. The innermost dimension comes last.
FN i64 place(INDEX index, int rank, const i64 *sizes, const i64 *strides)
{
    i64 at = 0;
#pragma unroll
    for (int dim = rank - 1; dim > 0; dim--) {
        INDEX size = (INDEX) sizes[dim];
        INDEX outer = index / size;
        at += (i64) (index - outer * size) * strides[dim];
        index = outer;
    }
    return at + (i64) index * strides[0];
}

#define THREAD ((i64) blockIdx.x * blockDim.x + threadIdx.x)
