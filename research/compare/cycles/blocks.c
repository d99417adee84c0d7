/* A QEMU plugin that counts the executions of each block of instructions:
 * `-plugin libblocks.so,out=FILE`. A line of the output has the address of a block, its number of
 * executions, and its instructions as hexadecimal bytes, separated by spaces. The declarations are
 * those of version 1 of the plugin interface, as not every distribution ships its header. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int add_u64, void *, uint64_t);
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const uint8_t *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);

int qemu_plugin_version = 1;

struct block {
    uint64_t address, runs;
    char *text;
    struct block *next;
};
static struct block *blocks;
static const char *path = "blocks.txt";

static void translated(plugin_id id, struct qemu_plugin_tb *tb) {
    size_t count = qemu_plugin_tb_n_insns(tb);
    struct block *block = calloc(1, sizeof *block);
    char *at = block->text = malloc(64 * count + 1);
    block->address = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
    for (size_t i = 0; i < count; i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(tb, i);
        for (size_t k = 0; k < qemu_plugin_insn_size(instruction); k++) {
            at += sprintf(at, "%02x", qemu_plugin_insn_data(instruction)[k]);
        }
        *at++ = ' ';
    }
    *at = 0;
    block->next = blocks;
    blocks = block;
    qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, &block->runs, 1);
}

static void write_blocks(plugin_id id, void *unused) {
    FILE *file = fopen(path, "w");
    for (struct block *block = blocks; file && block; block = block->next) {
        if (block->runs) {
            fprintf(file, "%llx %llu %s\n", (unsigned long long)block->address,
                    (unsigned long long)block->runs, block->text);
        }
    }
    if (file) fclose(file);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "out=", 4)) path = strdup(argv[i] + 4);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, write_blocks, NULL);
    return 0;
}
