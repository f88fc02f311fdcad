// kernel 1 of 3
#define INDEX i64
#define CAUSAL 1
#define MASK 0
#define MASKED bf16
#define STORED bf16
#define SUM f32
#define TAKE(x) f32_to_f32(bf16_load(x))
#define GIVE(x) bf16_store(f32_to_f32(x))
#define MULTIPLY_ADD(x, y, z) fmaf(x, y, z)
#define EXP exp_f32
#define LOG log_f32
#define THREADS 256
#define TILE 64
#define PER 4
#define PARTS 2
[VALUES]
[FLOATS]
[ATTENTION_MASK]
[ATTENTION_PRODUCTS]
[ATTENTION]
// kernel 2 of 3
#define INDEX i64
#define CAUSAL 1
#define MASK 0
#define MASKED bf16
#define STORED bf16
#define SUM f32
#define TAKE(x) f32_to_f32(bf16_load(x))
#define GIVE(x) bf16_store(f32_to_f32(x))
#define MULTIPLY_ADD(x, y, z) fmaf(x, y, z)
#define EXP exp_f32
#define LOG log_f32
#define THREADS 256
#define TILE 64
#define PER 4
#define PARTS 1
#define OF_KEYS 0
[VALUES]
[FLOATS]
[ATTENTION_MASK]
[ATTENTION_PRODUCTS]
[ATTENTION_GRADIENT]
// kernel 3 of 3
#define INDEX i64
#define CAUSAL 1
#define MASK 0
#define MASKED bf16
#define STORED bf16
#define SUM f32
#define TAKE(x) f32_to_f32(bf16_load(x))
#define GIVE(x) bf16_store(f32_to_f32(x))
#define MULTIPLY_ADD(x, y, z) fmaf(x, y, z)
#define EXP exp_f32
#define LOG log_f32
#define THREADS 256
#define TILE 64
#define PER 4
#define PARTS 2
#define OF_KEYS 1
[VALUES]
[FLOATS]
[ATTENTION_MASK]
[ATTENTION_PRODUCTS]
[ATTENTION_GRADIENT]
