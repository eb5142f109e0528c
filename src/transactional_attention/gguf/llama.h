// What is used of llama.h (llama.cpp, MIT) as it is in build b11549: a function or field that no module calls does not
// stand here, but structs are whole, since they are passed by value. Enums are ints of their values.
typedef int32_t llama_pos;
typedef int32_t llama_token;
typedef int32_t llama_seq_id;
typedef struct llama_model llama_model;
typedef struct llama_context llama_context;
typedef struct llama_vocab llama_vocab;
typedef struct llama_memory_i * llama_memory_t;
typedef void (*ggml_log_callback)(int level, const char * text, void * user_data);

struct llama_model_params {
    void * devices;
    const void * tensor_buft_overrides;
    int32_t n_gpu_layers;
    int split_mode;
    int load_mode;
    int lazy_mode;
    int32_t main_gpu;
    const float * tensor_split;
    void * progress_callback;
    void * progress_callback_user_data;
    const void * kv_overrides;
    bool vocab_only;
    bool check_tensors;
    bool use_extra_bufts;
    bool no_host;
    bool no_alloc;
    bool load_mtp;
};

struct llama_context_params {
    uint32_t n_ctx;
    uint32_t n_batch;
    uint32_t n_ubatch;
    uint32_t n_seq_max;
    uint32_t n_rs_seq;
    uint32_t n_outputs_max;
    uint32_t n_outputs_max_per_seq;
    int32_t n_threads;
    int32_t n_threads_batch;
    int ctx_type;
    int rope_scaling_type;
    int pooling_type;
    int attention_type;
    int flash_attn_type;
    float rope_freq_base;
    float rope_freq_scale;
    float yarn_ext_factor;
    float yarn_attn_factor;
    float yarn_beta_fast;
    float yarn_beta_slow;
    uint32_t yarn_orig_ctx;
    float defrag_thold;
    void * cb_eval;
    void * cb_eval_user_data;
    int type_k;
    int type_v;
    size_t moe_cache_size;
    void * abort_callback;
    void * abort_callback_data;
    bool embeddings;
    bool offload_kqv;
    bool no_perf;
    bool op_offload;
    bool swa_full;
    bool kv_unified;
    void * samplers;
    size_t n_samplers;
    llama_context * ctx_other;
};

struct llama_batch {
    int32_t n_tokens;
    llama_token * token;
    float * embd;
    llama_pos * pos;
    int32_t * n_seq_id;
    llama_seq_id ** seq_id;
    int8_t * logits;
};

const char * llama_version(void);
void llama_log_set(ggml_log_callback log_callback, void * user_data);
void llama_backend_init(void);
bool llama_supports_gpu_offload(void);

struct llama_model_params llama_model_default_params(void);
llama_model * llama_model_load_from_file(const char * path_model, struct llama_model_params params);
void llama_model_free(llama_model * model);
int32_t llama_model_meta_val_str(const llama_model * model, const char * key, char * buf, size_t buf_size);
int32_t llama_model_n_ctx_train(const llama_model * model);
int32_t llama_model_n_layer(const llama_model * model);
int32_t llama_model_n_head(const llama_model * model);
int32_t llama_model_n_head_kv(const llama_model * model);
int32_t llama_model_n_swa(const llama_model * model);
int llama_model_rope_type(const llama_model * model);
bool llama_model_has_encoder(const llama_model * model);
bool llama_model_is_recurrent(const llama_model * model);
bool llama_model_is_hybrid(const llama_model * model);
bool llama_model_is_diffusion(const llama_model * model);
const llama_vocab * llama_model_get_vocab(const llama_model * model);
int llama_vocab_type(const llama_vocab * vocab);
int32_t llama_vocab_n_tokens(const llama_vocab * vocab);
bool llama_vocab_is_eog(const llama_vocab * vocab, llama_token token);
const char * llama_vocab_get_text(const llama_vocab * vocab, llama_token token);
int llama_vocab_get_attr(const llama_vocab * vocab, llama_token token);
llama_token llama_vocab_bos(const llama_vocab * vocab);
llama_token llama_vocab_eos(const llama_vocab * vocab);
llama_token llama_vocab_pad(const llama_vocab * vocab);
llama_token llama_vocab_sep(const llama_vocab * vocab);
int32_t llama_tokenize(const llama_vocab * vocab, const char * text, int32_t text_len, llama_token * tokens, int32_t n_tokens_max, bool add_special, bool parse_special);
int32_t llama_token_to_piece(const llama_vocab * vocab, llama_token token, char * buf, int32_t length, int32_t lstrip, bool special);

struct llama_context_params llama_context_default_params(void);
llama_context * llama_init_from_model(llama_model * model, struct llama_context_params params);
void llama_free(llama_context * ctx);
uint32_t llama_n_ctx_seq(const llama_context * ctx);
struct llama_batch llama_batch_init(int32_t n_tokens, int32_t embd, int32_t n_seq_max);
void llama_batch_free(struct llama_batch batch);
int32_t llama_decode(llama_context * ctx, struct llama_batch batch);
float * llama_get_logits_ith(llama_context * ctx, int32_t i);

llama_memory_t llama_get_memory(const llama_context * ctx);
bool llama_memory_can_shift(llama_memory_t mem);
bool llama_memory_seq_rm(llama_memory_t mem, llama_seq_id seq_id, llama_pos p0, llama_pos p1);
llama_pos llama_memory_seq_pos_max(llama_memory_t mem, llama_seq_id seq_id);
void llama_memory_seq_cp(llama_memory_t mem, llama_seq_id src, llama_seq_id dst, llama_pos p0, llama_pos p1);
void llama_memory_seq_add(llama_memory_t mem, llama_seq_id seq_id, llama_pos p0, llama_pos p1, llama_pos delta);
size_t llama_state_seq_get_size(llama_context * ctx, llama_seq_id seq_id);
size_t llama_state_seq_get_data(llama_context * ctx, uint8_t * dst, size_t size, llama_seq_id seq_id);
size_t llama_state_seq_set_data(llama_context * ctx, const uint8_t * src, size_t size, llama_seq_id dest_seq_id);
size_t llama_state_seq_get_size_ext(llama_context * ctx, llama_seq_id seq_id, uint32_t flags);
size_t llama_state_seq_get_data_ext(llama_context * ctx, uint8_t * dst, size_t size, llama_seq_id seq_id, uint32_t flags);
size_t llama_state_seq_set_data_ext(llama_context * ctx, const uint8_t * src, size_t size, llama_seq_id dest_seq_id, uint32_t flags);

const char * ggml_get_name(const void * tensor);
size_t ggml_nbytes(const void * tensor);
void ggml_backend_tensor_get(const void * tensor, void * data, size_t offset, size_t size);
