/* The image of object code in memory: its sections, with relocations applied.
 *
 * Kernels are compiled for any distance, so most addresses are absolute. Nearer ones are supported too: a
 * call of an external function goes through a jump beside the kernel, an address that code looks up is in a
 * table there; both are slots behind the sections. */
#include "object_file.h"
#include <stdio.h>
#include <string.h>

/* One relocation, and what it refers to. */
typedef struct {
    size_t section; /* where it is applied */
    size_t offset;  /* in that section */
    uint32_t kind;
    int64_t addend;
    Elf64_Sym symbol;
} place;

typedef int (*visit)(fj_elf *elf, const place *at, void *with);

/* Bytes that a relocation fills in; 0 for kinds that kernels do not have. */
static size_t
width_of(uint32_t kind)
{
    switch (kind) {
    case R_X86_64_64:
    case R_X86_64_PC64:
        return 8;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return 4;
    default:
        return 0;
    }
}

static int
is_of_table(uint32_t kind)
{
    return kind == R_X86_64_GOTPCREL || kind == R_X86_64_GOTPCRELX ||
           kind == R_X86_64_REX_GOTPCRELX;
}

/* 1 if the symbol is reached through a slot. */
static int
needs_slot(const place *at)
{
    return is_of_table(at->kind) ||
           (at->kind == R_X86_64_PLT32 && at->symbol.st_shndx == SHN_UNDEF);
}

static int
is_in_image(const fj_elf *elf, size_t section)
{
    return section < elf->n_sections && elf->places[section] != FJ_ELF_NOWHERE;
}

/* Looks if a symbol may be referred to; undefined ones are looked up later. */
static int
check_symbol(fj_elf *elf, const Elf64_Sym *symbol)
{
    const char *name = fj_elf_symbol_name(elf, symbol);
    int kind = ELF64_ST_TYPE(symbol->st_info);
    if (kind == STT_TLS) {
        return fj_elf_refuse(elf, "%s is memory of a thread", name);
    }
    if (kind == STT_GNU_IFUNC) {
        return fj_elf_refuse(elf, "%s is found by a function of its own", name);
    }
    if (symbol->st_shndx == SHN_COMMON) {
        return fj_elf_refuse(elf, "%s is memory to write to, and kernels have none of their own",
                             name);
    }
    if (symbol->st_shndx == SHN_UNDEF) {
        return *name == '\0' ? fj_elf_refuse(elf, "a %s has no name", "symbol") : 0;
    }
    if (!is_in_image(elf, symbol->st_shndx) ||
        symbol->st_value > elf->sections[symbol->st_shndx].sh_size) {
        return fj_elf_refuse(elf, "%s stands nowhere", name);
    }
    return 0;
}

/* Reads one relocation and checks it. */
static int
read_place(fj_elf *elf, const Elf64_Shdr *table, size_t number, place *at)
{
    Elf64_Rela item;
    memcpy(&item, elf->bytes + table->sh_offset + number * sizeof(item), sizeof(item));
    size_t width = width_of(ELF64_R_TYPE(item.r_info)), symbol = ELF64_R_SYM(item.r_info);
    size_t room = elf->sections[table->sh_info].sh_size;
    if (width == 0) {
        char number_of_kind[16];
        snprintf(number_of_kind, sizeof(number_of_kind), "%u",
                 (unsigned int)ELF64_R_TYPE(item.r_info));
        return fj_elf_refuse(elf, "relocations of type %s are not known", number_of_kind);
    }
    if (item.r_offset > room || width > room - item.r_offset) {
        return fj_elf_refuse(elf, "a relocation is outside of %s",
                             fj_elf_section_name(elf, table->sh_info));
    }
    if (symbol == 0 || symbol >= elf->n_symbols) {
        return fj_elf_refuse(elf, "a relocation has no %s", "symbol");
    }
    at->section = table->sh_info;
    at->offset = item.r_offset;
    at->kind = ELF64_R_TYPE(item.r_info);
    at->addend = item.r_addend;
    at->symbol = fj_elf_symbol(elf, symbol);
    return check_symbol(elf, &at->symbol);
}

/* Visits each relocation of what stands in the image; -1 where a table or a visit fails. */
static int
visit_all(fj_elf *elf, visit one, void *with)
{
    for (size_t k = 0; k < elf->n_sections; k++) {
        const Elf64_Shdr *table = &elf->sections[k];
        int is_table = table->sh_type == SHT_RELA || table->sh_type == SHT_REL;
        if (!is_table || !is_in_image(elf, table->sh_info)) {
            continue;
        }
        if (table->sh_type != SHT_RELA || table->sh_entsize != sizeof(Elf64_Rela) ||
            table->sh_size % sizeof(Elf64_Rela) != 0 || table->sh_link != elf->symbol_section) {
            return fj_elf_refuse(elf, "%s is no table of relocations",
                                 fj_elf_section_name(elf, k));
        }
        for (size_t number = 0; number < table->sh_size / sizeof(Elf64_Rela); number++) {
            place at;
            if (read_place(elf, table, number, &at) < 0 || one(elf, &at, with) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

static int
count_slot(fj_elf *elf, const place *at, void *ignored)
{
    (void)ignored;
    elf->n_slots += (size_t)needs_slot(at);
    return 0;
}

int
fj_elf_count_slots(fj_elf *elf)
{
    return visit_all(elf, count_slot, NULL);
}

/* Parameters and state of writing an image. */
typedef struct {
    unsigned char *buffer;
    uint64_t address; /* where the buffer's content is to stand */
    fj_elf_find find;
    void *table;
    size_t slots; /* that are full */
} writing;

/* The address of what a relocation refers to; 0 with a reason. */
static uint64_t
address_of(fj_elf *elf, const place *at, const writing *to)
{
    const Elf64_Sym *symbol = &at->symbol;
    if (symbol->st_shndx != SHN_UNDEF) {
        return to->address + elf->places[symbol->st_shndx] + symbol->st_value;
    }
    const char *name = fj_elf_symbol_name(elf, symbol);
    uint64_t found = to->find(name, to->table);
    if (found == 0) {
        fj_elf_refuse(elf, "%s is not known", name);
    }
    return found;
}

/* The address of a new slot: of an address, or of a jump there. */
static uint64_t
fill_slot(const fj_elf *elf, writing *to, uint64_t address, int is_jump)
{
    static const unsigned char jump[] = {0xff, 0x25, 0x02, 0, 0, 0, 0x66, 0x90}; /* jmp *2(%rip) */
    size_t where = elf->slots + to->slots++ * FJ_ELF_SLOT;
    memset(to->buffer + where, 0, FJ_ELF_SLOT);
    if (is_jump) {
        memcpy(to->buffer + where, jump, sizeof(jump));
        memcpy(to->buffer + where + sizeof(jump), &address, sizeof(address));
    }
    else {
        memcpy(to->buffer + where, &address, sizeof(address));
    }
    return to->address + where;
}

static int
apply(fj_elf *elf, const place *at, void *with)
{
    writing *to = with;
    size_t where = elf->places[at->section] + at->offset;
    uint64_t value = address_of(elf, at, to);
    if (value == 0) {
        return -1;
    }
    if (needs_slot(at)) {
        value = fill_slot(elf, to, value, !is_of_table(at->kind));
    }
    value += (uint64_t)at->addend;
    if (at->kind != R_X86_64_64) {
        value -= to->address + where;
    }
    if (width_of(at->kind) == 8) {
        memcpy(to->buffer + where, &value, 8);
        return 0;
    }
    if ((int64_t)value < INT32_MIN || (int64_t)value > INT32_MAX) {
        return fj_elf_refuse(elf, "%s is too far away", fj_elf_symbol_name(elf, &at->symbol));
    }
    int32_t near = (int32_t)value;
    memcpy(to->buffer + where, &near, 4);
    return 0;
}

int
fj_elf_write(fj_elf *elf, unsigned char *buffer, uintptr_t address, fj_elf_find find, void *table)
{
    writing to = {buffer, address, find, table, 0};
    memset(buffer, 0xcc, elf->image); /* between sections: instructions that stop */
    for (size_t k = 0; k < elf->n_sections; k++) {
        if (elf->places[k] != FJ_ELF_NOWHERE) {
            memcpy(buffer + elf->places[k], elf->bytes + elf->sections[k].sh_offset,
                   elf->sections[k].sh_size);
        }
    }
    return visit_all(elf, apply, &to);
}
