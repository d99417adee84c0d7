package speech_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// The names given in the documentation for Go.
func TestNames(t *testing.T) {
	declared := declaredNames(t)
	column, found := 0, 0
	for line := range strings.Lines(string(must(os.ReadFile(variable(t, "SPEECH_PAGES")))(t))) {
		row := strings.Split(strings.TrimSpace(line), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		switch {
		case slices.Contains(row, "Rust") && slices.Contains(row, "Java") && slices.Contains(row, "Go"):
			column = slices.Index(row, "Go")
		case len(row) <= column:
			column = 0
		case column > 0 && strings.HasPrefix(row[column], "`"):
			found++
			if name := strings.Trim(row[column], "`"); !declared[name] {
				t.Errorf("the module has no %s", name)
			}
		}
	}
	if found <= 30 {
		t.Errorf("the documentation has only %d names", found)
	}
}

// declaredNames returns the functions of the package, and the methods and fields of its types,
// qualified by the type.
func declaredNames(t *testing.T) map[string]bool {
	names := map[string]bool{}
	entries := must(os.ReadDir("."))(t)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file := must(parser.ParseFile(token.NewFileSet(), entry.Name(), nil, 0))(t)
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				names[receiver(node)+node.Name.Name] = true
			case *ast.TypeSpec:
				if fields, ok := node.Type.(*ast.StructType); ok {
					for _, field := range fields.Fields.List {
						for _, name := range field.Names {
							names[node.Name.Name+"."+name.Name] = true
						}
					}
				}
			}
			return true
		})
	}
	return names
}

// receiver returns the type of a method, with a dot after it; "" for a function.
func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	of := function.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	return of.(*ast.Ident).Name + "."
}
